import dinette from "./index.cjs";

export const { DinetteError, World, connect, start } = dinette;
export default dinette;
