/** What the objects of this room find around them. */
import type { Directory } from './directory.ts';
import type { AcmeSettings } from './acme-settings.ts';
import type { Call, OriginCheck } from './handler.ts';
import type { OriginRulesOptions } from '#base';
import type { MailSettings } from '#outbound';
import type { KeySealer } from './key-sealer.ts';

/** What the object of the account may connect to: plain data, for every process of the objects. */
export interface OutboundSettings {
  /** The addresses that may be connected to. */
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
  /** What notifications and lists may connect to. */
  readonly outbound: OutboundSettings;
  /** Where zones get certificates from by themselves. */
  readonly acme: AcmeSettings;
  /**
   * Of how many writes the account keeps what they changed, for the directories of all hosts. 0 if there is one directory:
   * what that has is forgotten.
   */
  readonly directoryRevisionsKept: number;
  /**
   * Gets ready for a call, or answers undefined if nothing has to be waited for. The directory must have come as far as that
   * of the program, or of the host, had when it sent the call.
   */
  readonly prepare: (call: Pick<Call, 'input' | 'earlier' | 'directory'>) => Promise<Disposable> | undefined;
  /** The id of this host; empty if there is no other. */
  readonly findHostId: () => string;
  /** Receives errors of background work that is not awaited. The work is retried. */
  readonly onError: (error: unknown) => void;
  /**
   * Called with the name of each object that was written to, before the write is on disk. What the object answers to
   * readers waits for the disk.
   */
  onChange: (objectName: string) => void;
}
