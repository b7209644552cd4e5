/**
 * The hosts that run one control plane together, and where they keep it. A control plane on a data directory is a
 * cluster of one: it has the same interface, without any peers (`alone.ts`). In a cluster, `shared-control.ts`
 * implements it.
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

/** Available once the objects are. */
export interface PeerActions {
  /** Updates the directory. */
  readonly pull: () => Promise<void>;
  readonly reloadSessions: () => Promise<void>;
  /** Applies OWASP rules in this process. */
  readonly takeCoreRules: (rules: CoreRules | undefined) => Promise<void>;
  /** Answers a call about an object of this host. */
  readonly answerHere: (call: Call) => Promise<CallAnswer>;
  /** Erases the objects of deleted zones. */
  readonly eraseDeleted: () => Promise<void>;
}

export interface Peers extends OtherHosts, Disposable {
  readonly keySealer: KeySealer;
  /** For the environment of objects. */
  readonly directoryRevisionsKept: number;
  /** For the environment of objects: prepares for a call. */
  readonly prepare: ControlEnvironment['prepare'];
  /** For the environment of objects: an object was written to. */
  readonly onChange: (objectName: string) => void;
  /** For the directory: a call has arrived from a host whose directory is newer. */
  readonly catchUp: () => void;
  openRuntime(environment: ControlEnvironment, copies: DirectoryCopies): Promise<ObjectRuntime>;
  /** Reads what objects need before they are called. */
  open(runtime: ObjectRuntime): Promise<void>;
  openLogs(runtime: ObjectRuntime, environment: ControlEnvironment): Promise<OpenLogs>;
  /** Starts to follow the other hosts. */
  begin(actions: PeerActions): Promise<void>;
  /** Undefined if requests may be answered; otherwise resolves when they may. */
  ensureFresh(): Promise<void> | undefined;
  /** Resolves when every responsive host has reloaded the sessions. */
  spreadSessions(): Promise<void>;
  /** Applies OWASP rules on every host. Hosts that do not answer apply them later. */
  setCoreRules(rules: CoreRules | undefined): Promise<void>;
  /** Applies these rules at the start, unless the hosts have others. Returns whether any rules are in force. */
  beginCoreRules(rules: CoreRules | undefined): Promise<boolean>;
}
