/** How a control plane is opened. */
import type { Log, OriginRulesOptions } from '#base';
import type { ObjectHostsOptions } from '#hosts';
import type { RuntimeOptions } from '#objects';
import type { AcmeSettings } from './context/acme-settings.ts';
import type { OutboundSettings } from './context/environment.ts';
import type { StoreHost } from './operations/stores/store-host.ts';
import type { WorkerHost } from './context/worker-host.ts';
import type { ControlCluster } from './clustered/control-cluster.ts';
import type { BootstrapOptions } from './objects/bootstrap.ts';
import type { RecentRequests } from './operations/rule-effects/recent-requests.ts';
import type { MetricReading, ObjectsContext, SiteProbe } from './operations/several-objects.ts';
import type { ResponseReport } from './pipeline/pipeline.ts';
import type { ApiRateLimitOptions } from './pipeline/limits/rate-limit.ts';

export interface ControlOptions extends Pick<
  RuntimeOptions,
  'directory' | 'durability' | 'clock' | 'log' | 'fs' | 'retentionMs'
> {
  readonly bootstrap: BootstrapOptions;
  /** Events are kept at most this long, however long the plan of their zone shows them. */
  readonly eventRetentionMsMax?: number;
  /** The limit per user, across all their credentials. The default is 1,200 requests in five minutes. */
  readonly rateLimit?: ApiRateLimitOptions | 'off';
  /** Which origins are refused when they are set; without it, only the edge refuses them, when it connects. */
  readonly origins?: OriginRulesOptions;
  /** Where zones get certificates from by themselves; nowhere by default. */
  readonly acme?: AcmeSettings;
  /** By which notifications are mailed; without it, none are. */
  readonly mail?: OutboundSettings['mail'];
  /** What the program measures; without it, nothing. */
  readonly readMetrics?: () => Promise<readonly MetricReading[]>;
  /** Looks at sites from outside; without it, nobody does. */
  readonly probe?: SiteProbe;
  /** The requests that an edge of this program logged; without it, previews of rules look at the activity log. */
  readonly recentRequests?: RecentRequests;
  /** Takes requests that edges elsewhere have served, for Logpush. */
  readonly pushRequests?: ObjectsContext['pushRequests'];
  /** Whether values and rows of zones may be written over the API, past the checks of its operations. */
  readonly allowsObjectWrites?: boolean;
  /** Called when the account was written to, at any host. */
  readonly onAccountChange?: (() => void) | undefined;
  /** Runs uploaded Workers; without it, nothing can be uploaded. */
  readonly workers?: WorkerHost | undefined;
  /** Has the KV namespaces, D1 databases, queues and R2 buckets of the account; without it, there are none. */
  readonly stores?: StoreHost | undefined;
  /** The processes in which objects live; in this one by default. */
  readonly hosts?: ControlHosts | undefined;
  /**
   * The cluster that keeps everything, instead of the directory, which holds only files that are needed while the control
   * plane is open. It is left when that is closed.
   */
  readonly cluster?: ControlCluster | undefined;
  readonly onError: (error: unknown, requestId: string) => void;
  /** Called after each response, for metrics. */
  readonly onAnswer?: (report: ResponseReport) => void;
}

export interface ControlHosts extends Pick<
  ObjectHostsOptions,
  'cpuMsMax' | 'statementMsMax' | 'heapBytesMax' | 'onEnd'
> {
  readonly count: number;
  readonly log: Log;
}
