/** An answer that may be asked for again. */
export interface Remembered {
  etag: string;
  text: string;
  /** The Link header, which leads to the next page of an index. */
  link: string | null;
}

/** Remembers answers by their address; the ones that were not asked for longest go first. */
export class Memory {
  private readonly byURL = new Map<string, Remembered>();
  private size = 0;

  /** limit bounds the characters of the answers together. */
  constructor(private readonly limit: number) {}

  get(url: string): Remembered | undefined {
    const answer = this.byURL.get(url);
    if (answer) { // it was asked for last now
      this.byURL.delete(url);
      this.byURL.set(url, answer);
    }
    return answer;
  }

  set(url: string, answer: Remembered): void {
    this.delete(url);
    if (answer.text.length > this.limit) {
      return;
    }
    this.byURL.set(url, answer);
    this.size += answer.text.length;
    for (const oldest of this.byURL.keys()) {
      if (this.size <= this.limit) {
        break;
      }
      this.delete(oldest);
    }
  }

  delete(url: string): void {
    this.size -= this.byURL.get(url)?.text.length ?? 0;
    this.byURL.delete(url);
  }
}
