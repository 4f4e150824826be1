import dinette from "./index.cjs";

export default dinette;
export import DynaliteOptions = dinette.DynaliteOptions;
export import DynaliteServer = dinette.DynaliteServer;
export import DinetteError = dinette.DinetteError;
export import ClockReading = dinette.ClockReading;
export import Clock = dinette.Clock;
export import ForkOptions = dinette.ForkOptions;
export import WorldDescription = dinette.WorldDescription;
export import World = dinette.World;
export import Server = dinette.Server;
export import start = dinette.start;
export import connect = dinette.connect;
