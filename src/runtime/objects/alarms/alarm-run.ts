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

  /** What the object has done since it was in this state was rolled back. */
  rewind(state: 'none' | 'running' | 'replaced'): void {
    if (this.#state === 'replaced' && state === 'running') this.#state = state;
  }

  /** As a transaction sees it whose changes count only once it commits; then it is joined. */
  fork(): AlarmRun {
    const fork = new AlarmRun(this.#hasHandler);
    fork.#state = this.#state;
    return fork;
  }

  join(fork: AlarmRun): void {
    if (fork.#state === 'replaced') this.replace();
  }

  /** Answers whether the handler left the fired alarm as it was. */
  end(): boolean {
    const untouched = this.#state === 'running';
    this.#state = 'none';
    return untouched;
  }
}
