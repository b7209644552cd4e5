/**
 * What an object's storage says of its alarm while the handler runs: the alarm that fired counts as gone,
 * until the handler sets or deletes one itself; from then on storage tells the truth again.
 */
export class AlarmRun {
  #state: 'none' | 'running' | 'replaced' = 'none';
  readonly #hasHandler: () => boolean;

  constructor(hasHandler: () => boolean) {
    this.#hasHandler = hasHandler;
  }

  get state(): 'none' | 'running' | 'replaced' {
    return this.#state;
  }

  hasHandler(): boolean {
    return this.#hasHandler();
  }

  begin(): void {
    this.#state = 'running';
  }

  /** The object has set or deleted its alarm. */
  replace(): void {
    if (this.#state === 'running') this.#state = 'replaced';
  }

  /** Answers whether the handler left the fired alarm as it was. */
  end(): boolean {
    const untouched = this.#state === 'running';
    this.#state = 'none';
    return untouched;
  }
}
