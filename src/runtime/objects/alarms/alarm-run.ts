/**
 * What an object's storage reports about its alarm while the handler runs: the fired alarm counts as deleted until the
 * handler sets or deletes one itself; from then on storage reports the actual state.
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

  /** Everything the object did since it was in this state was rolled back. */
  rewind(state: 'none' | 'running' | 'replaced'): void {
    if (this.#state === 'replaced' && state === 'running') this.#state = state;
  }

  /** The view of a transaction whose changes count only once it commits; then `join` merges it. */
  fork(): AlarmRun {
    const fork = new AlarmRun(this.#hasHandler);
    fork.#state = this.#state;
    return fork;
  }

  join(fork: AlarmRun): void {
    if (fork.#state === 'replaced') this.replace();
  }

  /** Returns whether the handler left the fired alarm as it was. */
  end(): boolean {
    const untouched = this.#state === 'running';
    this.#state = 'none';
    return untouched;
  }
}
