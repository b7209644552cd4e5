/** The routes of the pages. Pages are loaded when they are first opened; only signing in needs no session. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { findProgram, getProgram, getSessionState, readSession } from './api/session.ts';
import { accountQuery, zoneQuery } from './api/queries.ts';
import { readActivitySearch, readTimeRange } from './pages/events/search.ts';
import { SignInPage } from './pages/sign-in.tsx';
import { type Goal, goals } from './pages/start/question.tsx';
import { ZonesPage } from './pages/zones/zones.tsx';
import { FailedPage, NotFoundPage } from './shell/not-found.tsx';
import { Shell } from './shell/shell.tsx';
import { Loading } from './parts/reading/states.tsx';

interface FirewallRulesSearch {
  readonly rule?: string;
  readonly filter?: string;
  /** `filters`, if they are shown. */
  readonly view?: string;
}

interface ObjectsSearch {
  readonly class?: string;
  /** Its name, or its id. */
  readonly object?: string;
  readonly view?: string;
  /** The bookmark of a moment to compare with the current state. */
  readonly at?: string;
  /** The bookmark that undoes a restore. */
  readonly undo?: string;
  /** The story of a simulation. */
  readonly story?: string;
}

/** A URL can contain anything: values that are not text are ignored. */
function pickTexts<Name extends string>(
  given: Record<string, unknown>,
  names: readonly Name[],
): { readonly [Each in Name]?: string } {
  const pairs = names.map((name) => [name, given[name]]).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(pairs) as { readonly [Each in Name]?: string };
}

function readStartSearch(given: Record<string, unknown>): { goal?: Goal; zone?: string } {
  const { goal, zone } = pickTexts(given, ['goal', 'zone']);
  return {
    ...(goal !== undefined && Object.hasOwn(goals, goal) ? { goal: goal as Goal } : {}),
    ...(zone === undefined ? {} : { zone }),
  };
}

const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    // Only a path of this page: a link must not redirect to another site after signing in.
    typeof next === 'string' && /^\/(?!\/)/.test(next) ? { next } : {},
  /** The form of the sign-in depends on the program. */
  async beforeLoad() {
    await findProgram().catch(() => {});
  },
  component: SignInPage,
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  async beforeLoad({ location }) {
    // If the session of a page has ended, the sign-in dialog is shown above it.
    if (getSessionState().kind !== 'none' || (await readSession())) {
      // Other pages need parts that only `gatehouse serve` has.
      if (getProgram() === 'dev' && location.pathname !== '/objects') throw redirect({ to: '/objects' });
      return;
    }
    const search = location.href === '/' ? {} : { next: location.href };
    throw redirect({ to: '/sign-in', search });
  },
});

const zones = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  staticData: { link: { label: 'Sites', key: 'z', words: 'zones' } },
  component: ZonesPage,
});

/** The account is loaded before its pages, which can rely on it. */
const account = createRoute({
  getParentRoute: () => signedIn,
  id: 'account',
  loader: ({ context }) => context.queries.ensureQueryData(accountQuery),
  component: Outlet,
});
const start = createRoute({
  getParentRoute: () => account,
  path: '/start',
  /** The user's purpose, and the zone that is being set up. */
  validateSearch: readStartSearch,
  staticData: { link: { label: 'Start', key: 'n', words: 'first steps protect test attack demo' } },
  component: lazyRouteComponent(() => import('./pages/start/start.tsx'), 'StartPage'),
});
const lists = createRoute({
  getParentRoute: () => account,
  path: '/lists',
  staticData: { link: { label: 'Lists', key: 'l', words: 'ip addresses hostnames' } },
  component: lazyRouteComponent(() => import('./pages/lists/lists.tsx'), 'ListsPage'),
});
const notifications = createRoute({
  getParentRoute: () => account,
  path: '/notifications',
  staticData: { link: { label: 'Notifications', key: 'i', words: 'alerts webhooks mail policies' } },
  component: lazyRouteComponent(() => import('./pages/notifications/notifications.tsx'), 'NotificationsPage'),
});
const list = createRoute({
  getParentRoute: () => account,
  path: '/lists/$listId',
  component: lazyRouteComponent(() => import('./pages/lists/list-page.tsx'), 'ListPage'),
});
const tokens = createRoute({
  getParentRoute: () => account,
  path: '/tokens',
  staticData: { link: { label: 'Tokens', key: 'k', words: 'api keys permissions scopes' } },
  component: lazyRouteComponent(() => import('./pages/tokens/tokens.tsx'), 'TokensPage'),
});
const audit = createRoute({
  getParentRoute: () => account,
  path: '/audit',
  staticData: { link: { label: 'Audit log', key: 'u', words: 'changes who' } },
  component: lazyRouteComponent(() => import('./pages/audit/audit.tsx'), 'AuditPage'),
});
const objects = createRoute({
  getParentRoute: () => account,
  path: '/objects',
  /** The view is in the URL, so that it can be sent to a colleague. */
  validateSearch: (given: Record<string, unknown>): ObjectsSearch =>
    pickTexts(given, ['class', 'object', 'view', 'at', 'undo', 'story']),
  staticData: {
    link: { label: 'Objects', key: 'j', words: 'durable storage sql kv alarms history restore simulations' },
  },
  component: lazyRouteComponent(() => import('./pages/objects/objects.tsx'), 'ObjectsPage'),
});
const workers = createRoute({
  getParentRoute: () => account,
  path: '/workers',
  staticData: {
    link: { label: 'Workers', key: 'w', words: 'wrangler deploy versions roll back logs tail secrets crons' },
  },
  component: lazyRouteComponent(() => import('./pages/workers/workers.tsx'), 'WorkersPage'),
});
const worker = createRoute({
  getParentRoute: () => account,
  path: '/workers/$workerName',
  component: lazyRouteComponent(() => import('./pages/workers/worker.tsx'), 'WorkerPage'),
});
const stores = createRoute({
  getParentRoute: () => account,
  path: '/stores',
  staticData: {
    link: { label: 'Stores', key: 'd', words: 'kv namespaces d1 databases sql queues backlog r2 buckets' },
  },
  component: lazyRouteComponent(() => import('./pages/stores/stores.tsx'), 'StoresPage'),
});
const namespace = createRoute({
  getParentRoute: () => account,
  path: '/stores/kv/$storeId',
  component: lazyRouteComponent(() => import('./pages/stores/namespace.tsx'), 'NamespacePage'),
});
const database = createRoute({
  getParentRoute: () => account,
  path: '/stores/d1/$storeId',
  component: lazyRouteComponent(() => import('./pages/stores/database.tsx'), 'DatabasePage'),
});
const bucket = createRoute({
  getParentRoute: () => account,
  path: '/stores/r2/$storeId',
  component: lazyRouteComponent(() => import('./pages/stores/bucket.tsx'), 'BucketPage'),
});
const metrics = createRoute({
  getParentRoute: () => account,
  path: '/metrics-board',
  staticData: { link: { label: 'Metrics', key: 'x', words: 'latency disk memory' } },
  component: lazyRouteComponent(() => import('./pages/metrics/metrics.tsx'), 'MetricsPage'),
});

/** A zone is loaded before its pages, which can rely on it. */
const zone = createRoute({
  getParentRoute: () => signedIn,
  path: '/zones/$zoneId',
  loader: ({ context, params }) => context.queries.ensureQueryData(zoneQuery(params.zoneId)),
  component: Outlet,
});
const overview = createRoute({
  getParentRoute: () => zone,
  path: '/',
  validateSearch: readTimeRange,
  staticData: { link: { label: 'Overview', key: 'o', words: 'protect traffic verdicts chart' } },
  component: lazyRouteComponent(() => import('./pages/overview/overview.tsx'), 'OverviewPage'),
});
const activity = createRoute({
  getParentRoute: () => zone,
  path: '/activity',
  /** The search is in the URL, so that it can be sent to a colleague. */
  validateSearch: readActivitySearch,
  staticData: { link: { label: 'Activity log', key: 'a', words: 'events search tail explain exception' } },
  component: lazyRouteComponent(() => import('./pages/events/activity.tsx'), 'ActivityPage'),
});
const firewallRules = createRoute({
  getParentRoute: () => zone,
  path: '/firewall-rules',
  /** The open rule or filter; `new` for one that does not exist yet. */
  validateSearch: (given: Record<string, unknown>): FirewallRulesSearch =>
    pickTexts(given, ['rule', 'filter', 'view']),
  staticData: { link: { label: 'Firewall rules', key: 'f', words: 'filters expressions block challenge' } },
  component: lazyRouteComponent(
    () => import('./pages/firewall-rules/firewall-rules.tsx'),
    'FirewallRulesPage',
  ),
});
const customRules = createRoute({
  getParentRoute: () => zone,
  path: '/custom-rules',
  /** The open rule, `new` for one that does not exist yet; and its ruleset of the account. */
  validateSearch: (given: Record<string, unknown>): { rule?: string; ruleset?: string } =>
    pickTexts(given, ['rule', 'ruleset']),
  staticData: {
    link: { label: 'Custom rules', key: 'e', words: 'rulesets expressions block challenge skip' },
  },
  component: lazyRouteComponent(() => import('./pages/rulesets/custom-rules.tsx'), 'CustomRulesPage'),
});
const rateLimits = createRoute({
  getParentRoute: () => zone,
  path: '/rate-limits',
  validateSearch: (given: Record<string, unknown>): { rule?: string } => pickTexts(given, ['rule']),
  staticData: { link: { label: 'Rate limits', key: 'r', words: 'counters throttle too many requests 429' } },
  component: lazyRouteComponent(() => import('./pages/rate-limits/rate-limits.tsx'), 'RateLimitsPage'),
});
const loadBalancing = createRoute({
  getParentRoute: () => zone,
  path: '/load-balancing',
  staticData: {
    link: { label: 'Load balancing', key: 'b', words: 'origins pools monitors health upstream failover' },
  },
  component: lazyRouteComponent(
    () => import('./pages/load-balancing/load-balancing.tsx'),
    'LoadBalancingPage',
  ),
});
const securityTools = createRoute({
  getParentRoute: () => zone,
  path: '/security-tools',
  staticData: {
    link: { label: 'Security tools', key: 't', words: 'ip access rules country ban lockdown user agent bot' },
  },
  component: lazyRouteComponent(
    () => import('./pages/security-tools/security-tools.tsx'),
    'SecurityToolsPage',
  ),
});
const managedRules = createRoute({
  getParentRoute: () => zone,
  path: '/managed-rules',
  /** The open ruleset. */
  validateSearch: (given: Record<string, unknown>): { ruleset?: string } => pickTexts(given, ['ruleset']),
  staticData: {
    link: { label: 'Managed rules', key: 'm', words: 'waf packages owasp migration rulesets overrides' },
  },
  component: lazyRouteComponent(() => import('./pages/managed-rules/managed-rules.tsx'), 'ManagedRulesPage'),
});
const migration = createRoute({
  getParentRoute: () => zone,
  path: '/managed-rules/update',
  component: lazyRouteComponent(() => import('./pages/migration/migration.tsx'), 'MigrationPage'),
});
const pageRules = createRoute({
  getParentRoute: () => zone,
  path: '/page-rules',
  staticData: { link: { label: 'Page rules', key: 'p', words: 'url targets' } },
  component: lazyRouteComponent(() => import('./pages/page-rules/page-rules.tsx'), 'PageRulesPage'),
});
const logpush = createRoute({
  getParentRoute: () => zone,
  path: '/logpush',
  staticData: { link: { label: 'Logpush', key: 'y', words: 'logs siem syslog webhook export stream' } },
  component: lazyRouteComponent(() => import('./pages/logpush/logpush.tsx'), 'LogpushPage'),
});
const certificates = createRoute({
  getParentRoute: () => zone,
  path: '/certificates',
  staticData: { link: { label: 'Certificates', key: 'c', words: 'tls ssl https acme expiry' } },
  component: lazyRouteComponent(() => import('./pages/certificates/certificates.tsx'), 'CertificatesPage'),
});
const settings = createRoute({
  getParentRoute: () => zone,
  path: '/settings',
  staticData: { link: { label: 'Settings', key: 's', words: 'origin edge plan pause' } },
  component: lazyRouteComponent(() => import('./pages/settings/settings.tsx'), 'SettingsPage'),
});

/** Inside the frame of every page, which has the navigation. */
const anythingElse = createRoute({
  getParentRoute: () => signedIn,
  path: '$',
  component: NotFoundPage,
});

const tree = root.addChildren([
  signIn,
  signedIn.addChildren([
    zones,
    account.addChildren([
      start,
      workers,
      worker,
      stores,
      namespace,
      database,
      bucket,
      lists,
      list,
      notifications,
      tokens,
      audit,
      objects,
      metrics,
    ]),
    zone.addChildren([
      overview,
      activity,
      firewallRules,
      customRules,
      securityTools,
      managedRules,
      migration,
      pageRules,
      rateLimits,
      loadBalancing,
      certificates,
      logpush,
      settings,
    ]),
    anythingElse,
  ]),
]);

export function createPageRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: ({ error, reset }) => <FailedPage error={error} onRetry={reset} />,
    defaultNotFoundComponent: NotFoundPage,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>;
  }
}
