// onnxruntime 1.30 reports to its makers: from its first session on it keeps a device id and a database of events under the
// user's cache folder, leaves a log in the temporary folder and sends to mobile.events.data.microsoft.com. Nothing here does.

/**
 * To be called before any session is made, in the main thread: the library reads the real environment, which worker threads
 * cannot set.
 */
export function turnOffTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = "1";
}
