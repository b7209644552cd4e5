/**
 * Records in the account which lists a zone is about to name, before the zone is written to. So the uses of a list are
 * known while any expression names it, without asking every zone.
 */
import { findListNames } from '#firewall';
import type { Directory } from '../context/directory.ts';

interface ListUseAccount {
  noteListUses(zoneId: string, lists: readonly string[]): Promise<void>;
}

export interface ListUsesOptions {
  readonly findAccount: () => ListUseAccount;
  readonly directory: Directory;
}

/** Uses that are cached, so that they are not sent twice: about as many as ten lists in 10,000 zones. */
const rememberedMax = 100_000;

export class ListUses {
  readonly #findAccount: () => ListUseAccount;
  readonly #directory: Directory;
  readonly #told = new Set<string>();

  constructor({ findAccount, directory }: ListUsesOptions) {
    this.#findAccount = findAccount;
    this.#directory = directory;
  }

  /**
   * Runs a write to a zone. The write could also name a list that is created meanwhile, so the lists are looked up
   * again at its end.
   */
  async during<T>(zoneId: string, body: unknown, write: () => Promise<T>): Promise<T> {
    const names = body === undefined ? undefined : findListNames([JSON.stringify(body)]);
    if (names === undefined || names.size === 0) return write();
    await this.#tell(zoneId, names);
    const answer = await write();
    await this.#tell(zoneId, names);
    return answer;
  }

  /** Must be called when the account has lost recorded uses. */
  forget(): void {
    this.#told.clear();
  }

  async #tell(zoneId: string, names: ReadonlySet<string>): Promise<void> {
    const unreported = [...names].filter(
      (name) => this.#directory.lists.has(name) && !this.#told.has(`${zoneId} ${name}`),
    );
    if (unreported.length === 0) return;
    await this.#findAccount().noteListUses(zoneId, unreported);
    if (this.#told.size > rememberedMax) this.#told.clear();
    for (const name of unreported) this.#told.add(`${zoneId} ${name}`);
  }
}
