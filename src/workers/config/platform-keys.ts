/**
 * What the keys of a Wrangler configuration mean here. Anything a Worker would reach through `env` that Gatehouse does
 * not have gets a binding that explains itself when it is used, so that the rest of the Worker still runs.
 */

/** Read here, or about deploying, building and observing, which do not change what runs. */
export const knownKeys: ReadonlySet<string> = new Set(
  `$schema name main compatibility_date compatibility_flags durable_objects migrations vars env
  d1_databases kv_namespaces queues r2_buckets
  account_id workers_dev preview_urls route routes observability logpush minify dev send_metrics no_bundle rules
  tsconfig upload_source_maps limits placement keep_vars keep_names legacy_env node_compat find_additional_modules
  preserve_file_names base_dir first_party_worker compliance_region secrets jsx_factory jsx_fragment
  python_modules cache previews`.split(/\s+/),
);

/** Needs a part of the platform that is not here. The text completes "… : <text>". */
export const platformKeys: Readonly<Record<string, string>> = {
  agent_memory: 'agent memory',
  ai: 'AI models',
  ai_search: 'AI search',
  ai_search_namespaces: 'AI search',
  alias: 'aliases of modules (Node resolves imports here)',
  analytics_engine_datasets: 'analytics datasets',
  artifacts: 'artifacts',
  assets: 'static assets',
  browser: 'browser rendering',
  build: 'custom builds (run the build yourself and name its result as main)',
  cloudchamber: 'containers',
  containers: 'containers',
  data_blobs: 'data blobs (import the file instead)',
  define: 'replacement of names at build time (use vars)',
  dispatch_namespaces: 'dispatch namespaces',
  flagship: 'feature flags',
  hyperdrive: 'Hyperdrive',
  images: 'image transformation',
  logfwdr: 'log forwarding',
  media: 'media transformation',
  mtls_certificates: 'mTLS certificates',
  pipelines: 'pipelines',
  ratelimits: 'rate limits',
  secrets_store_secrets: 'the secrets store (put secrets into .dev.vars)',
  send_email: 'sending email',
  services: 'service bindings to other Workers',
  site: 'Workers Sites',
  stream: 'video streams',
  streaming_tail_consumers: 'tail Workers',
  tail_consumers: 'tail Workers',
  text_blobs: 'text blobs (import the file instead)',
  triggers: 'cron triggers (an alarm that sets itself again can do their work)',
  unsafe: 'unsafe bindings',
  unsafe_hello_world: 'unsafe bindings',
  vectorize: 'vector indexes',
  version_metadata: 'version metadata',
  vpc_networks: 'private networks',
  vpc_services: 'private networks',
  wasm_modules: 'wasm_modules (import the file instead)',
  websearch: 'web search',
  worker_loaders: 'worker loaders',
  workflows: 'workflows',
};

/** The names under which a Worker would find what `value` configures: every `binding`, or `name` where that is the key. */
export function bindingNames(key: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => bindingNames(key, item));
  if (typeof value !== 'object' || value === null) return [];
  const { binding, name, ...rest } = value as Record<string, unknown>;
  const named = key === 'send_email' || key === 'ratelimits' || key === 'unsafe';
  const found = binding ?? (named ? name : undefined);
  const own = typeof found === 'string' ? [found] : [];
  return [...own, ...Object.values(rest).flatMap((item) => bindingNames(key, item))];
}

/** Handlers of a Worker's default export that nothing here will ever call. */
export const platformHandlers: Readonly<Record<string, string>> = {
  scheduled: 'cron triggers',
  email: 'incoming email',
  tail: 'tail events',
  tailStream: 'tail events',
  trace: 'tail events',
};
