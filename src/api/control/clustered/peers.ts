/**
 * The hosts that run one control plane together, and where they keep it. A control plane on a data directory is a cluster of
 * one: it has the same peers, none of which there are (`alone.ts`). In a cluster they are `shared-control.ts`.
 */
import type { PlainReply, WrittenResponse } from '#contract';
import type { ObjectRuntime } from '#objects';
import type { CoreRules } from '#seclang';
import type { ControlEnvironment } from '../context/environment.ts';
import type { Call } from '../context/handler.ts';
import type { KeySealer } from '../context/key-sealer.ts';
import type { DirectoryCopies } from '../directory-copies.ts';
import type { OpenLogs } from '../open-logs.ts';
import type { OtherHosts } from '../operations/several-objects.ts';

export type CallAnswer = WrittenResponse | PlainReply;

/** What is there once the objects are. */
export interface PeerActions {
  /** Brings the directory up to date. */
  readonly pull: () => Promise<void>;
  readonly reloadSessions: () => Promise<void>;
  /** Puts OWASP rules in force in this process. */
  readonly takeCoreRules: (rules: CoreRules | undefined) => Promise<void>;
  /** Answers a call about an object of this host. */
  readonly answerHere: (call: Call) => Promise<CallAnswer>;
  /** Erases what is left of zones that were deleted. */
  readonly eraseDeleted: () => Promise<void>;
}

export interface Peers extends OtherHosts, Disposable {
  readonly keySealer: KeySealer;
  /** For the environment of objects. */
  readonly directoryRevisionsKept: number;
  /** For the environment of objects: gets ready for a call. */
  readonly prepare: ControlEnvironment['prepare'];
  /** For the environment of objects: an object was written to. */
  readonly onChange: (objectName: string) => void;
  /** For the directory: a call has come from a host that knows more. */
  readonly catchUp: () => void;
  openRuntime(environment: ControlEnvironment, copies: DirectoryCopies): Promise<ObjectRuntime>;
  /** Reads what objects need before they are called. */
  open(runtime: ObjectRuntime): Promise<void>;
  openLogs(runtime: ObjectRuntime, environment: ControlEnvironment): Promise<OpenLogs>;
  /** Begins to follow the other hosts. */
  begin(actions: PeerActions): Promise<void>;
  /** Undefined if requests may be answered; otherwise resolves when they may. */
  ensureFresh(): Promise<void> | undefined;
  /** Resolves when every host that answers has read the sessions again. */
  spreadSessions(): Promise<void>;
  /** Puts OWASP rules in force on every host. Those that do not answer follow. */
  setCoreRules(rules: CoreRules | undefined): Promise<void>;
  /** Puts these rules in force at the start, unless the hosts have others. Answers whether any are in force. */
  beginCoreRules(rules: CoreRules | undefined): Promise<boolean>;
}
