import startServer from "dinette/global-setup";
import prepare from "./prepare.mjs";

export default async () => {
  await startServer();
  await prepare();
};
