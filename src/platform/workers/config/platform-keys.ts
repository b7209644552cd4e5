/**
 * The meaning of a Wrangler configuration's keys here. A binding to something that Gatehouse does not have explains
 * itself when it is used, so that the rest of the Worker still runs.
 */

/** Read here, or about deploying and observing, which does not affect the running code. */
export const knownKeys: ReadonlySet<string> = new Set([
  '$schema',
  'account_id',
  'alias',
  'assets',
  'base_dir',
  'cache',
  'compatibility_date',
  'compatibility_flags',
  'build',
  'compliance_region',
  'configPath',
  'd1_databases',
  'define',
  'definedEnvironments',
  'dev',
  'durable_objects',
  'env',
  'exports',
  'find_additional_modules',
  'first_party_worker',
  'jsx_factory',
  'jsx_fragment',
  'keep_names',
  'keep_vars',
  'kv_namespaces',
  'legacy_env',
  'limits',
  'logpush',
  'main',
  'migrations',
  'minify',
  'name',
  'no_bundle',
  'node_compat',
  'observability',
  'pages_build_output_dir',
  'placement',
  'preserve_file_names',
  'preview_urls',
  'previews',
  'python_modules',
  'queues',
  'r2_buckets',
  'ratelimits',
  'route',
  'routes',
  'rules',
  'secrets',
  'send_metrics',
  'services',
  'targetEnvironment',
  'topLevelName',
  'triggers',
  'tsconfig',
  'upload_source_maps',
  'userConfigPath',
  'vars',
  'version_metadata',
  'workers_dev',
  'workflows',
]);

/** Keys that need a part of the platform which does not exist here. The text completes "… : <text>". */
export const platformKeys: Readonly<Record<string, string>> = {
  agent_memory: 'agent memory',
  ai: 'AI models',
  ai_search: 'AI search',
  ai_search_namespaces: 'AI search',
  analytics_engine_datasets: 'analytics datasets',
  artifacts: 'artifacts',
  browser: 'browser rendering',
  cloudchamber: 'containers',
  containers: 'containers',
  data_blobs: 'data blobs (import the file instead)',
  dispatch_namespaces: 'dispatch namespaces',
  flagship: 'feature flags',
  hyperdrive: 'Hyperdrive',
  images: 'image transformation',
  logfwdr: 'log forwarding',
  media: 'media transformation',
  mtls_certificates: 'mTLS certificates',
  pipelines: 'pipelines',
  secrets_store_secrets: 'the secrets store (put secrets into .dev.vars)',
  send_email: 'sending email',
  site: 'Workers Sites',
  stream: 'video streams',
  streaming_tail_consumers: 'tail Workers',
  tail_consumers: 'tail Workers',
  text_blobs: 'text blobs (import the file instead)',
  unsafe: 'unsafe bindings',
  unsafe_hello_world: 'unsafe bindings',
  vectorize: 'vector indexes',
  vpc_networks: 'private networks',
  vpc_services: 'private networks',
  wasm_modules: 'wasm_modules (import the file instead)',
  websearch: 'web search',
  worker_loaders: 'worker loaders',
};

/** Methods of unsupported bindings that drop their arguments, as they never fail at Cloudflare. */
export const droppingMethods: Readonly<Record<string, Readonly<Record<string, () => unknown>>>> = {
  analytics_engine_datasets: { writeDataPoint: () => undefined },
  pipelines: { send: () => Promise.resolve() },
};

/** The binding names that `value` configures: every `binding`, or `name` where that is the key. */
export function bindingNames(key: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => bindingNames(key, item));
  if (typeof value !== 'object' || value === null) return [];
  const { binding, name, ...rest } = value as Record<string, unknown>;
  const named = key === 'send_email' || key === 'unsafe';
  const found = binding ?? (named ? name : undefined);
  const own = typeof found === 'string' ? [found] : [];
  return [...own, ...Object.values(rest).flatMap((item) => bindingNames(key, item))];
}

/** Handlers of a Worker's default export that are never called here. */
export const platformHandlers: Readonly<Record<string, string>> = {
  email: 'incoming email',
  tail: 'tail events',
  tailStream: 'tail events',
  trace: 'tail events',
};
