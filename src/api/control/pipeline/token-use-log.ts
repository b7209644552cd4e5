/**
 * Caches the last use of each token. A call costs one assignment. Changes are written in one batch, five minutes after
 * the first one and when the control plane closes, so a crash loses at most the uses of five minutes.
 */
import type { Clock, Timer } from '#base';
import type { OperationId } from '#contract';
import type { Call } from '../context/handler.ts';
import type { TokenUse } from '../objects/token-uses.ts';

/** Operations whose answers show the last use of tokens. */
const showTokenUses: ReadonlySet<OperationId> = new Set<OperationId>([
  'tokens.list',
  'tokens.get',
  'tokens.update',
  'accountTokens.list',
  'accountTokens.get',
  'accountTokens.update',
]);

const writeDelayMs = 5 * 60_000;

interface TokenUseStore {
  list(): Promise<readonly TokenUse[]>;
  record(uses: readonly TokenUse[], deleted: readonly string[]): Promise<void>;
}

export interface TokenUseLogOptions {
  /** A stub stays broken once its object has failed, so each call uses a new one. */
  readonly findStore: () => TokenUseStore;
  readonly clock: Clock;
  readonly hasToken: (tokenId: string) => boolean;
  readonly onError: (error: unknown) => void;
}

export class TokenUseLog {
  readonly #options: TokenUseLogOptions;
  readonly #usedAtMs: Map<string, number>;
  /** Tokens whose last use has not been written. */
  readonly #changed = new Set<string>();
  #timer: Timer | undefined;

  private constructor(options: TokenUseLogOptions, stored: readonly TokenUse[]) {
    this.#options = options;
    this.#usedAtMs = new Map(stored);
  }

  static async open(options: TokenUseLogOptions): Promise<TokenUseLog> {
    return new TokenUseLog(options, await options.findStore().list());
  }

  note(tokenId: string, nowMs: number): void {
    this.#usedAtMs.set(tokenId, nowMs);
    this.#changed.add(tokenId);
    this.#timer ??= this.#options.clock.setTimer(
      nowMs + writeDelayMs,
      () => void this.write(),
      'housekeeping',
    );
  }

  /** In milliseconds; undefined if it was never used. */
  find(tokenId: string): number | undefined {
    return this.#usedAtMs.get(tokenId);
  }

  /** Adds the last uses to a call that shows them. */
  addTo(call: Call): Call {
    if (!showTokenUses.has(call.operation)) return call;
    return { ...call, tokenUses: this.#list(call.input.path['token_id']) };
  }

  /** The last uses of all tokens, or of one, by id. */
  #list(tokenId?: string): Record<string, number> {
    if (tokenId === undefined) return Object.fromEntries(this.#usedAtMs);
    const usedAtMs = this.find(tokenId);
    return usedAtMs === undefined ? {} : { [tokenId]: usedAtMs };
  }

  /** If a write fails, its changes are written with the next ones. */
  async write(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    const { findStore, hasToken, onError } = this.#options;
    const deleted = Array.from(this.#usedAtMs.keys()).filter((tokenId) => !hasToken(tokenId));
    for (const tokenId of deleted) {
      this.#usedAtMs.delete(tokenId);
      this.#changed.delete(tokenId);
    }
    const uses = Array.from(this.#changed, (tokenId): TokenUse => [tokenId, this.#usedAtMs.get(tokenId)!]);
    if (uses.length === 0 && deleted.length === 0) return;
    this.#changed.clear();
    try {
      await findStore().record(uses, deleted);
    } catch (error) {
      for (const [tokenId] of uses) this.#changed.add(tokenId);
      onError(error);
    }
  }
}
