import { ProtocolError } from "./error.js";
import type { ErrorAnswer } from "./generated/types.js";
import { isErrorAnswer } from "./guards.js";
import { readJSON } from "./read.js";
import { Memory } from "./remembered.js";

/** What a client may be told beside the registry's address. */
export interface RegistryOptions {
  /** A key, sent with every request; without one the client asks anonymously. */
  key?: string | undefined;
  /** Sends the requests; the global fetch by default. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How often a request is sent at most, the first time included; 4 by default. */
  attempts?: number | undefined;
  /** How many milliseconds one attempt may take; 60,000 by default. */
  timeoutMs?: number | undefined;
  /** How many bytes of an answer are read at most; 64 MiB by default. */
  maxResponse?: number | undefined;
  /**
   * How many characters of answers are remembered, to be asked for by their ETag and not
   * sent again while they are current; 16 Mi by default, 0 for none. Answers that a
   * registry forbids to store, which are those to a key, are not remembered.
   */
  remember?: number | undefined;
}

export interface Request {
  method: "GET" | "POST" | "DELETE";
  /** Begins with a slash and may carry a query. */
  path: string;
  /** Undefined sends none. */
  body?: string | Uint8Array;
  /** That of the body; JSON by default. */
  mediaType?: string;
  /** Whether sending it twice does no more than sending it once. */
  repeatable: boolean;
  signal: AbortSignal | undefined;
}

/** An answer that succeeded. */
export interface Answer {
  status: number;
  text: string;
  link: string | null;
}

const firstPause = 200;
const longPause = 5_000;
/** The longest pause that is waited for when a registry asks for it; a longer one is the caller's to wait. */
const maxWait = 30_000;

/** Sends requests to one registry, again where that is safe and may help. */
export class Connection {
  readonly base: string;
  private readonly memory: Memory;

  constructor(
    baseURL: string,
    private readonly options: RegistryOptions,
  ) {
    this.base = checkBaseURL(baseURL);
    this.memory = new Memory(options.remember ?? 16 << 20);
    if (options.key !== undefined && !/^[!-~]+$/.test(options.key)) {
      throw new TypeError("the key has characters that no key has, such as a space or a line break");
    }
  }

  async do(request: Request): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      request.signal?.throwIfAborted();
      try {
        return await this.send(request);
      } catch (error) {
        request.signal?.throwIfAborted();
        const pause = attempt < (this.options.attempts ?? 4) ? pauseBefore(request, error, attempt) : undefined;
        if (pause === undefined) {
          throw error;
        }
        await sleep(pause, request.signal);
      }
    }
  }

  /** Sends a request once. */
  private async send(request: Request): Promise<Answer> {
    const url = this.base + request.path;
    const known = request.method === "GET" ? this.memory.get(url) : undefined;
    const timeout = AbortSignal.timeout(this.options.timeoutMs ?? 60_000);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    let response: Response;
    let text: string;
    try {
      response = await (this.options.fetch ?? fetch)(url, {
        method: request.method,
        headers: this.headers(request, known?.etag),
        // A key goes to no other address than the one that it was meant for.
        redirect: "manual",
        signal,
        ...(request.body === undefined ? {} : { body: request.body as string | Uint8Array<ArrayBuffer> }),
      });
      text = await this.read(response);
    } catch (cause) {
      if (cause instanceof ProtocolError) {
        throw cause;
      }
      throw unreachable(this.base, cause);
    }
    if (response.status === 304 && known) {
      return { status: 200, text: known.text, link: known.link };
    }
    if (!response.ok) {
      throw refusal(response, text);
    }
    const answer = { status: response.status, text, link: response.headers.get("Link") };
    this.keep(request, url, response.headers, answer);
    return answer;
  }

  private headers(request: Request, etag: string | undefined): Record<string, string> {
    return {
      Accept: "application/json",
      ...(request.body === undefined ? {} : { "Content-Type": request.mediaType ?? "application/json" }),
      ...(this.options.key === undefined ? {} : { Authorization: `Bearer ${this.options.key}` }),
      ...(etag === undefined ? {} : { "If-None-Match": etag }),
    };
  }

  private keep(request: Request, url: string, headers: Headers, answer: Answer): void {
    const etag = headers.get("ETag");
    if (request.method === "GET" && etag && !/\bno-store\b/i.test(headers.get("Cache-Control") ?? "")) {
      this.memory.set(url, { ...answer, etag });
    } else {
      this.memory.delete(url);
    }
  }

  /** Reads an answer as text, as far as it may go. */
  private async read(response: Response): Promise<string> {
    const limit = this.options.maxResponse ?? 64 << 20;
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const reader = response.body?.getReader();
    let text = "";
    for (let size = 0; reader; ) {
      const { done, value } = await reader.read();
      if (done) {
        break;
      }
      size += value.length;
      if (size > limit) {
        await reader.cancel();
        throw unexpected(response, `it is larger than ${limit} bytes`);
      }
      text += decode(response, decoder, value);
    }
    return text + decode(response, decoder);
  }
}

function decode(response: Response, decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw unexpected(response, "it is not UTF-8");
  }
}

function checkBaseURL(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || /[?#]/.test(text)) {
    throw new TypeError(`${JSON.stringify(text)} is not the address of a registry: expected an absolute http or https URL such as https://skills.example.com`);
  }
  return url.href.replace(/\/+$/, "");
}

/** How many milliseconds to wait before the request is sent once more; undefined for not again. */
function pauseBefore(request: Request, error: unknown, attempt: number): number | undefined {
  if (!(error instanceof ProtocolError)) {
    return undefined;
  }
  const asked = error.retry?.suggested_delay_ms ?? 0;
  // After 429 a request was not looked at, so that it may be sent again whatever it is.
  const again = error.status === 429 || (request.repeatable && (error.status === undefined || [408, 502, 503, 504].includes(error.status)));
  if (!again || asked > maxWait) {
    return undefined;
  }
  const pause = Math.min(firstPause * 2 ** (attempt - 1), longPause);
  // Half of it by chance, so that those who were turned away together don't come back together.
  return asked + pause / 2 + (Math.random() * pause) / 2;
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function unreachable(base: string, cause: unknown): ProtocolError {
  const reason = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : String(cause);
  return new ProtocolError({ code: "ENDPOINT_UNREACHABLE", message: `The registry at ${base} can't be reached: ${reason}.` }, { cause });
}

/** The error of an answer that a registry would not give. */
export function unexpected(answer: { status: number }, reason: string, requestId?: string): ProtocolError {
  return new ProtocolError(
    { code: "UNEXPECTED_ANSWER", message: `Not the answer of a skill registry: ${reason} (status ${answer.status}).` },
    { status: answer.status, requestId },
  );
}

/** The error of an answer that is no success. */
function refusal(response: Response, text: string): ProtocolError {
  const requestId = response.headers.get("X-Request-Id") ?? undefined;
  const answer = errorAnswer(text);
  if (!answer) {
    const moved = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
    return unexpected(response, moved ? "the address leads on to another one" : response.statusText || "unknown status", requestId);
  }
  const { error } = answer;
  const seconds = Number(response.headers.get("Retry-After") ?? NaN);
  if (!error.retry && Number.isSafeInteger(seconds)) {
    error.retry = { suggested_delay_ms: seconds * 1000, max_attempts: 3 };
  }
  return new ProtocolError(error, { status: response.status, requestId });
}

function errorAnswer(text: string): ErrorAnswer | undefined {
  try {
    const answer = readJSON(text);
    return isErrorAnswer(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}
