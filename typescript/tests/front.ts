import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What stands before a registry does with a request. */
export type Behaviour =
  /** Hands it on. */
  | "pass"
  /** Closes the connection, and hands nothing on. */
  | "drop"
  /** Hands it on, and closes the connection in the place of the answer. */
  | "lose the answer"
  /** Hands nothing on, and never answers. */
  | "hang"
  /** Answers by itself. */
  | { status: number; headers?: Record<string, string>; body: string };

/**
 * Stands before a registry that runs, and does to the requests what networks do to them.
 * behave says what to do with the request of a number, from 1.
 */
export async function frontOf(registry: string, behave: (n: number) => Behaviour): Promise<Front> {
  let n = 0;
  const server = createServer((incoming, answer) => {
    const what = behave(++n);
    if (what === "drop") {
      incoming.socket.destroy();
    } else if (what === "hang") {
      incoming.resume();
    } else if (typeof what === "object") {
      answer.writeHead(what.status, what.headers).end(what.body);
    } else {
      forward(registry, incoming, answer, what === "lose the answer");
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => n,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export interface Front {
  url: string;
  requests(): number;
  close(): void;
}

function forward(registry: string, incoming: IncomingMessage, answer: ServerResponse, lose: boolean): void {
  const outgoing = request(registry + (incoming.url ?? ""), { method: incoming.method, headers: incoming.headers }, (response) => {
    if (lose) {
      response.resume().on("end", () => incoming.socket.destroy());
      return;
    }
    answer.writeHead(response.statusCode ?? 500, response.headers);
    response.pipe(answer);
  });
  incoming.pipe(outgoing);
}
