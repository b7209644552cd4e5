/** The environment of the objects of this room. */
import type { Directory } from './directory.ts';
import type { AcmeSettings } from './acme-settings.ts';
import type { Call, OriginCheck } from './handler.ts';
import type { MailSettings, OriginRulesOptions } from '#outbound';
import type { KeySealer } from './key-sealer.ts';

/** The outbound connections that the account's object may open: plain data, for every process of the objects. */
export interface OutboundSettings {
  /** The addresses that it may connect to. */
  readonly origins: OriginRulesOptions | undefined;
  /** Undefined if no mail is sent. */
  readonly mail: MailSettings | undefined;
}

/** The `env` of the objects of this room. */
export interface ControlEnvironment {
  readonly directory: Directory;
  /** Resolves when the first directory is in place. Until then, objects start no work of their own. */
  readonly ready: Promise<void>;
  /** Encrypts the private keys of uploaded certificates. */
  readonly keySealer: KeySealer;
  readonly checkOrigin: OriginCheck;
  /** The outbound connections that notifications and lists may open. */
  readonly outbound: OutboundSettings;
  /** Where zones get certificates automatically. */
  readonly acme: AcmeSettings;
  /**
   * The number of writes whose changes the account keeps, for the directories of all hosts. 0 if there is one
   * directory: changes are dropped once it has them.
   */
  readonly directoryRevisionsKept: number;
  /**
   * Prepares for a call, or returns undefined if it need not wait. The directory must be as new as that of the program,
   * or of the host, was when it sent the call.
   */
  readonly prepare: (call: Pick<Call, 'input' | 'earlier' | 'directory'>) => Promise<Disposable> | undefined;
  /** The id of this host; empty if there are no other hosts. */
  readonly findHostId: () => string;
  /** Receives errors of background work that is not awaited. The work is retried. */
  readonly onError: (error: unknown) => void;
  /**
   * Called with the name of each object that was written to, before the write is on disk. The object's answers to
   * readers wait for the disk.
   */
  onChange: (objectName: string) => void;
}
