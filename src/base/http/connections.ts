// Connections that are opened and never used. A server that refuses whoever comes when it is full is shut by anybody who
// opens many; this one lets go of the connection that has been silent longest instead.
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Where `most` are open, a new one takes the place of the oldest that no request has come from or whose requests are
 * answered; where there is none, of the oldest that has not sent all of its request. Work under way is finished.
 */
export function limitConnections(server: Server, most: number): void {
  /** In the order in which they last said something, with what is not answered yet. */
  const open = new Map<Socket, Set<IncomingMessage>>();
  server.on("connection", (socket: Socket) => {
    if (open.size >= most) {
      const all = [...open];
      const [spare] =
        all.find(([, { size }]) => size === 0) ??
        all.find(([, requests]) => [...requests].every(({ complete }) => !complete)) ??
        [];
      // All are being answered: then it is this one's turn to wait.
      (spare ?? socket).destroy();
      if (spare === undefined) return;
      open.delete(spare);
    }
    open.set(socket, new Set());
    socket.once("close", () => open.delete(socket));
  });
  server.on("request", (request, response) => {
    const { socket } = request;
    const unanswered = open.get(socket);
    if (unanswered === undefined) return;
    open.delete(socket);
    open.set(socket, unanswered.add(request));
    response.once("close", () => unanswered.delete(request));
  });
}
