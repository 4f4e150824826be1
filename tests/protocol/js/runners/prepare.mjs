import { prepareMeeting } from "./own_world.cjs";

export default async () => {
  await prepareMeeting();
};
