/** How a control plane is opened. */
import type { Log } from '#base';
import type { OriginRulesOptions } from '#outbound';
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
  /** The longest retention of events, even if the plan of their zone shows them for longer. */
  readonly eventRetentionMsMax?: number;
  /** The limit per user, across all their credentials. The default is 1,200 requests in five minutes. */
  readonly rateLimit?: ApiRateLimitOptions | 'off';
  /** Refuses origins when they are set; without it, only the edge refuses them, when it connects. */
  readonly origins?: OriginRulesOptions;
  /** Where zones get certificates automatically; nowhere by default. */
  readonly acme?: AcmeSettings;
  /** How notifications are mailed; without it, none are. */
  readonly mail?: OutboundSettings['mail'];
  /** Reads the program's metrics; without it, there are none. */
  readonly readMetrics?: () => Promise<readonly MetricReading[]>;
  /** Probes sites from outside; without it, there are no probes. */
  readonly probe?: SiteProbe;
  /** The requests that an edge of this program logged; without it, previews of rules use the activity log. */
  readonly recentRequests?: RecentRequests;
  /** Receives requests that separate edges have served, for Logpush. */
  readonly pushRequests?: ObjectsContext['pushRequests'];
  /** Whether values and rows of zones may be written over the API, bypassing the checks of its operations. */
  readonly allowsObjectWrites?: boolean;
  /** Called when the account was written to, on any host. */
  readonly onAccountChange?: (() => void) | undefined;
  /** Runs uploaded Workers; without it, uploads are impossible. */
  readonly workers?: WorkerHost | undefined;
  /** Holds the KV namespaces, D1 databases, queues and R2 buckets of the account; without it, there are none. */
  readonly stores?: StoreHost | undefined;
  /** The processes that objects live in; by default, this one. */
  readonly hosts?: ControlHosts | undefined;
  /**
   * The cluster that stores everything, instead of the directory, which then only holds files that are needed while the
   * control plane is open. Closing the control plane leaves the cluster.
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
