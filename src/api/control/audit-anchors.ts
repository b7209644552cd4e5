/**
 * Stores an anchor in the account for the audit log of each object: its length and the hash of its last entry, a second
 * after a change. An anchor that was not written when the process died is written after the next change of the object,
 * or when its log is checked. If a log has lost the entry of its anchor, the anchor stays, and the check of the log
 * reports what is missing. The account's facts about the certificates of a zone are updated in the same way, because
 * the log records every change of a certificate.
 */
import { AsyncResource } from 'node:async_hooks';
import { type Clock, realClock, type Timer } from '#base';
import type { ObjectRuntime } from '#objects';
import { type Account, accountName, type MovedAnchor } from './objects/account.ts';
import type { Zone } from './objects/zone.ts';
import { chainOrigin, type AuditEnd, type Link } from './stores/audit/audit-trail.ts';
import type { Anchor } from './stores/audit/anchors.ts';
import { zonesAskedAtOnceMax } from './context/limits.ts';

const writeDelayMs = 1_000;
/** After a failure: the disk may be full, or the database unavailable. */
const retryDelayMs = 30_000;

export interface AuditAnchorsOptions {
  readonly clock?: Clock | undefined;
  readonly onError: (error: unknown) => void;
}

interface AuditedObject {
  readAuditEnd(known: Link): Promise<AuditEnd & Pick<MovedAnchor, 'certificates'>>;
}

interface AnchoringAccount extends AuditedObject {
  findAuditAnchors(logs: readonly string[]): Promise<Anchor[]>;
  moveAuditAnchors(moved: readonly MovedAnchor[]): Promise<void>;
}

export class AuditAnchors {
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  /** Objects with entries that have no anchor yet. */
  readonly #changed = new Set<string>();
  #runtime: ObjectRuntime | undefined;
  #timer: Timer | undefined;
  #isClosed = false;
  #writing: Promise<void> = Promise.resolve();

  /** Objects report their changes, but the write runs outside the object's async context: it uses none of its gates. */
  readonly #writeIn = AsyncResource.bind((delayMs: number): void => {
    if (this.#isClosed) return;
    this.#timer ??= this.#clock.setTimer(
      this.#clock.now() + delayMs,
      () => void this.write(),
      'housekeeping',
    );
  });

  constructor({ clock = realClock, onError }: AuditAnchorsOptions) {
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Must be called before any object is woken. */
  begin(runtime: ObjectRuntime): void {
    this.#runtime = runtime;
  }

  note(objectName: string): void {
    this.#changed.add(objectName);
    this.#writeIn(writeDelayMs);
  }

  /** Resolves when the account has the anchors of these logs. */
  anchor(objectNames: readonly string[]): Promise<void> {
    for (const name of objectNames) this.#changed.add(name);
    return this.write();
  }

  /** Resolves when all reported changes are written. Failed writes are retried later. */
  write(): Promise<void> {
    return (this.#writing = this.#writing.then(() => this.#write()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.write();
  }

  async #write(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    const noted = [...this.#changed];
    for (let at = 0; at < noted.length; at += zonesAskedAtOnceMax) {
      const logs = noted.slice(at, at + zonesAskedAtOnceMax);
      for (const log of logs) this.#changed.delete(log);
      try {
        await this.#anchor(logs);
      } catch (error) {
        for (const log of noted.slice(at)) this.#changed.add(log);
        this.#writeIn(retryDelayMs);
        // The object was reset, or its process has ended; the next call finds it running again.
        if ((error as { durableObjectReset?: unknown }).durableObjectReset !== true) this.#onError(error);
        return;
      }
    }
  }

  #anchor(logs: readonly string[]): Promise<void> {
    const runtime = this.#runtime!;
    const account = runtime.namespace<Account>('Account').getByName(accountName);
    return anchorLogs(account, logs, (log) =>
      log === accountName ? account : runtime.namespace<Zone>('Zone').getByName(log),
    );
  }
}

/** Moves the anchors of these logs to their last entries. */
async function anchorLogs(
  account: AnchoringAccount,
  logs: readonly string[],
  find: (log: string) => AuditedObject,
): Promise<void> {
  const anchors = new Map((await account.findAuditAnchors(logs)).map((anchor) => [anchor.log, anchor]));
  const moved = await Promise.all(
    logs.map(async (log): Promise<MovedAnchor | undefined> => {
      const known = anchors.get(log) ?? chainOrigin;
      const { last, hasKnown, rewinds, certificates } = await find(log).readAuditEnd(known);
      if (!hasKnown || last.sequence === known.sequence) return undefined;
      return { log, ...last, from: known.sequence, rewinds, certificates };
    }),
  );
  const wanted = moved.filter((each) => each !== undefined);
  if (wanted.length > 0) await account.moveAuditAnchors(wanted);
}
