// Connections that are opened and never used. A server that refuses whoever comes when it is full is shut by anybody who
// opens many; this one lets go of the connection that has been silent longest instead.
import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Where `most` are open, a new one takes the place of the oldest that no request has come from or whose requests are answered. */
export function limitConnections(server: Server, most: number): void {
  /** In the order in which they last said something; the value is how many requests are being answered. */
  const open = new Map<Socket, number>();
  server.on("connection", (socket: Socket) => {
    if (open.size >= most) {
      const [idle] = [...open].find(([, busy]) => busy === 0) ?? [];
      // All are being answered: then it is this one's turn to wait.
      (idle ?? socket).destroy();
      if (idle === undefined) return;
      open.delete(idle);
    }
    open.set(socket, 0);
    socket.once("close", () => open.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    const busy = open.get(socket);
    if (busy === undefined) return;
    open.delete(socket);
    open.set(socket, busy + 1);
    response.once("close", () => {
      if (open.has(socket)) open.set(socket, open.get(socket)! - 1);
    });
  });
}
