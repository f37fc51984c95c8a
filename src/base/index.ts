// Randomness as a value, and the errors that the other entries throw. Pure: runs in a browser too. Stability: stable.
export {
  ConfigurationError,
  DataError,
  EngineError,
  RemoteServiceError,
  RunFolderError,
  UserError,
} from "./errors.ts";
export { Random, type RandomState } from "./random.ts";
