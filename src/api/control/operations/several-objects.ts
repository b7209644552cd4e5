/**
 * Operations that need several objects. Their handlers run outside of objects and call several of them, so they are not
 * transactions: each object answers for its own point in time.
 */
import type {
  IdsOf,
  InputOf,
  ObjectReply,
  OperationId,
  PlainReply,
  Reply,
  Result,
  WrittenResponse,
} from '#contract';
import type { TrafficStore } from '#events';
import type { LearnedBatch } from '#learning';
import type { LogRecord } from '#logpush';
import type { ObjectRuntime } from '#objects';
import type { Directory, DirectoryPoint } from '../context/directory.ts';
import type { Actor, Call, Change } from '../context/handler.ts';
import type { KeySealer } from '../context/key-sealer.ts';
import type { StoreHost } from './stores/store-host.ts';
import type { WorkerHost } from '../context/worker-host.ts';
import type { Anchor } from '../stores/audit/anchors.ts';
import type {
  AuditCheck,
  AuditEnd,
  AuditKeys,
  AuditQuery,
  Link,
  ShownEntry,
} from '../stores/audit/audit-trail.ts';
import type { References } from '../stores/lists/list-references.ts';
import type { StoreKind, StoreRow } from '../stores/stores.ts';
import type { RouteRow, VersionRow, WorkerCommit, WorkerRow, WorkerState } from '../stores/workers.ts';
import type { FormerZone } from '../stores/zones.ts';
import type { RateAnswer, RateReport } from '#firewall';
import type { FeedSource } from './edge/configuration-feed.ts';
import type { Activity } from './events/activity.ts';
import type { KeysSeen, ShownKey } from './rate-limits/rate-exchange.ts';
import type { RecentRequests } from './rule-effects/recent-requests.ts';
import type { WorkerContent, WorkerHosting, WorkerInitiator } from './workers/commit-worker.ts';

/** The audit trail of an object, as callers see it. */
interface AuditedObject {
  addAuditEntry(by: { readonly actor: Actor; readonly operation: string }, change: Change): Promise<void>;
  readAuditKeys(query: AuditQuery): Promise<AuditKeys>;
  readAuditEntries(sequences: readonly number[], valueCharactersMax: number): Promise<ShownEntry[]>;
  checkAudit(after: Link): Promise<AuditCheck>;
  readAuditEnd(known: Link): Promise<AuditEnd>;
}

/** An object that answers operations. */
export interface AnsweringObject {
  answer(call: Call): Promise<WrittenResponse>;
  reply(call: Call): Promise<ObjectReply>;
  readVersion(): Promise<string>;
}

/** The reply of the object, of the type that the row of the operation says. */
export async function askObject<Id extends OperationId>(
  object: Pick<AnsweringObject, 'reply'>,
  call: Call<Id>,
): Promise<ObjectReply<Result<Id>>> {
  return (await object.reply(call)) as ObjectReply<Result<Id>>;
}

interface AccountObject extends AuditedObject, AnsweringObject {
  findAuditAnchors(logs: readonly string[]): Promise<Anchor[]>;
  listFormerZones(name?: string): Promise<FormerZone[]>;
  findListName(id: string): Promise<string | undefined>;
  noteListUses(zoneId: string, lists: readonly string[]): Promise<void>;
  completeListUses(): Promise<void>;
  listZonesUsing(lists: readonly string[]): Promise<string[] | undefined>;
  countWorkers(): Promise<number>;
  listWorkerCode(): Promise<string[]>;
  listWorkerStates(): Promise<WorkerState[]>;
  listStores(kind: StoreKind): Promise<StoreRow[]>;
  getStore(kind: StoreKind, id: string): Promise<StoreRow | undefined>;
  putStore(by: WorkerInitiator, row: StoreRow): Promise<boolean>;
  removeStore(by: WorkerInitiator, kind: StoreKind, id: string): Promise<void>;
  readWorker(name: string): Promise<WorkerState | undefined>;
  findWorkerName(nameOrId: string): Promise<string | undefined>;
  describeWorker(
    name: string,
  ): Promise<{ readonly domains: RouteRow[]; readonly deployedAtMs: number | undefined }>;
  configureWorker(by: WorkerInitiator, content: WorkerContent, added?: WorkerRow): Promise<boolean>;
  listWorkerVersions(name: string): Promise<VersionRow[]>;
  readWorkerVersion(name: string, id: string): Promise<VersionRow | undefined>;
  /** False if another change is about to do the same, or has done it. */
  reserveWorkers(change: string, commits: readonly WorkerCommit[]): Promise<boolean>;
  releaseWorkers(change: string): Promise<void>;
  /** Undefined if the Worker was changed since the change started. */
  commitWorkers(by: WorkerInitiator, changes: readonly WorkerCommit[]): Promise<string[] | undefined>;
  hostWorker(by: WorkerInitiator, host: WorkerHosting): Promise<void>;
  scheduleWorker(
    by: WorkerInitiator,
    name: string,
    crons: readonly string[],
  ): Promise<WorkerRow['crons'] | undefined>;
  removeWorker(by: WorkerInitiator, name: string): Promise<string[]>;
  exchangeRates(report: RateReport, host: string): Promise<RateAnswer>;
  lookAtRateKeys(zoneId: string): Promise<KeysSeen>;
  releaseRateKey(by: WorkerInitiator, zoneId: string, id: string): Promise<ShownKey | undefined>;
}

interface ZoneObject extends AuditedObject, AnsweringObject {
  readMigrationStart(): Promise<number | undefined>;
  learn(batch: LearnedBatch): Promise<number>;
  countListReferences(names: readonly string[], point?: DirectoryPoint): Promise<References>;
}

/** A metric family of the program, at one moment. */
export interface MetricReading {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly points: readonly {
    readonly labels: Readonly<Record<string, string>>;
    readonly value?: number;
    /** The distribution of a histogram, instead of a value. */
    readonly distribution?: {
      readonly bounds: readonly number[];
      readonly counts: readonly number[];
      readonly sum: number;
    };
  }[];
}

/** A list that expressions cannot name. */
export interface HiddenList {
  /** False if the hiding may have ended: other hosts hide the list for a limited time. */
  isHidden(): boolean;
  show(): void;
}

/** A request to this API that the server makes for a caller. */
export interface PlannedRequest {
  readonly method: string;
  /** Relative to the base URL of the API, with its query. */
  readonly path: string;
  readonly body?: object | readonly object[];
}

interface ChangeOptions {
  /** The versions that the zone and the account must still have. */
  readonly versions?: { readonly zone?: string; readonly account?: string };
  /** A dry run. */
  readonly isTrial?: boolean;
}

/** The results of requests in their order, or the refusal of one of them. */
type ChangeOutcome = { readonly results: readonly unknown[] } | { readonly refusal: WrittenResponse };

/** The counts of requests, in files or in objects. */
export type TrafficLog = Pick<TrafficStore, 'add' | 'read' | 'erase'>;

export interface EdgeAnswer {
  readonly status: number;
  /** The id of the request in the activity log. */
  readonly ray: string | null;
}

/** Probes a site from outside, as its visitors and its edge see it. */
export interface SiteProbe {
  /** Fetches the first page of an origin, if the edge would be allowed to. */
  askOrigin(url: string): Promise<Result<'protection.checkOrigin'>>;
  /** The URL of this program's edge; undefined if it has none that speaks plain HTTP. */
  readonly edgeUrl: string | undefined;
  /** Sends a request to that edge; undefined if there is none. */
  visit(host: string, path: string): Promise<EdgeAnswer | undefined>;
  /** The TLS properties that the edge offers, or why it offers none. */
  scanTls(host: string): Promise<Result<'protection.scanTls'>>;
}

/** The other hosts that run this control plane; a single host is a cluster of one. */
export interface OtherHosts {
  /** Whether no other host can write to the objects: their answers stay valid until they are written to here. */
  readonly isAlone: boolean;
  /** This host; it gets another id after it was presumed dead. */
  readonly hostId: string;
  /** The others, as of the last look. */
  readonly otherHosts: readonly string[];
  /** Updates the directory of this host. */
  renew(): Promise<void>;
  /** Resolves when no host uses a directory that is older than this one. */
  spread(): Promise<void>;
  /** Undefined if the list is already being deleted, or a host does not answer. */
  hideList(name: string): Promise<HiddenList | undefined>;
  /** Forwards a call to another host. */
  forward(host: string, call: Call): Promise<WrittenResponse | PlainReply>;
  /** Forwards a call to every other host; returns the answers that arrive. */
  forwardToAll(call: Call): Promise<readonly (WrittenResponse | PlainReply)[]>;
}

/** The context of a handler that calls several objects. */
export interface ObjectsContext {
  /** The call as it arrived. */
  readonly call: Call;
  readonly actor: Actor;
  readonly nowMs: number;
  /** The newest directory at each access. */
  readonly directory: Directory;
  readonly account: AccountObject;
  getZone(id: string): ZoneObject;
  readonly activity: Activity;
  /** The number of requests of each zone. */
  readonly traffic: TrafficLog;
  /** The configuration of each zone. */
  readonly configurations: FeedSource;
  /** The current metrics of the program. */
  readMetrics(): Promise<readonly MetricReading[]>;
  /** Passes requests that a separate edge has served to the Logpush jobs of their zone. */
  pushRequests(zoneId: string, records: readonly LogRecord[]): void;
  /** Undefined if probes are impossible. */
  readonly probe: SiteProbe | undefined;
  /** The requests that an edge of this program logged; undefined if it has no edge. */
  readonly recentRequests: RecentRequests | undefined;
  /**
   * The answers of the cluster's other hosts to the same call, for data that each host has alone; without those that do
   * not answer. Undefined if another host forwarded the call.
   */
  readonly askOtherHosts: (() => Promise<readonly (WrittenResponse | PlainReply)[]>) | undefined;
  /** Runs uploaded Workers; undefined if this program has none. */
  readonly workers: WorkerHost | undefined;
  /** Holds the stores of the account; undefined if this program has none. */
  readonly stores: StoreHost | undefined;
  /** Encrypts the secrets of Workers. */
  readonly keySealer: KeySealer;
  /** For inspecting objects from outside. */
  readonly runtime: ObjectRuntime;
  /** Whether the operator allows writing rows and values of zones without their handlers. */
  readonly allowsObjectWrites: boolean;
  /**
   * Makes requests for the caller, who needs the permission for each. Those to one object happen together or not at all.
   * Throws the fault of a request that reaches no object.
   */
  change(requests: readonly PlannedRequest[], options?: ChangeOptions): Promise<ChangeOutcome>;
  /** Publishes that an object has changed, to caches of its answers and to edges with its configuration. */
  notifyChanged(objectName: string): void;
  /** Resolves when the account has anchors for the audit logs of these objects. */
  anchorAudits(objectNames: readonly string[]): Promise<void>;
  /** Replaces the directory by the account's current one. */
  refresh(): Promise<void>;
  /** Hides a list until it is shown again; undefined if it is already hidden, or cannot be hidden everywhere. */
  hideList(name: string): Promise<HiddenList | undefined>;
}

export type ObjectsHandlers<Names extends string> = {
  readonly [Id in IdsOf<Names>]: (
    context: ObjectsContext,
    input: InputOf<Id>,
  ) => Promise<Reply<Result<Id>> | PlainReply | WrittenResponse>;
};
