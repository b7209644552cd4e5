/** Workers and the stores of the account, as provider 5 has them. */
import type { Facts, Imports, ResourceCase } from '../case.ts';

const common = { provider: 'provider-5', plan: 'free' } as const;

function block(type: string, content: string, name = 'one'): string {
  return `resource "cloudflare_${type}" "${name}" {\n  ${content}\n}\n`;
}

/** Names are those of one account. */
const nameOf = ({ zone: { name } }: Facts): string => name.replaceAll(/[^a-z0-9]/g, '-');
const importFrom = (type: string, toId: Imports[string]): Imports => ({ [`cloudflare_${type}.one`]: toId });
const ofAccount =
  (attribute: string): Imports[string] =>
  (attributes, { accountId }) =>
    `${accountId}/${String(attributes[attribute])}`;

const script = (facts: Facts, { text = 'one', crons = false } = {}): string =>
  block(
    'workers_script',
    `account_id = "${facts.accountId}"
  script_name = "${nameOf(facts)}"
  main_module = "index.js"
  compatibility_date = "2026-03-01"
  content = "export default { fetch: () => new Response(\\"${text}\\")${crons ? ', scheduled() {}, queue() {}' : ''} };"
  bindings = [{
    name = "GREETING"
    text = "${text}"
    type = "plain_text"
  }]`,
  );

const route = (facts: Facts, path: string): string =>
  script(facts) +
  block(
    'workers_route',
    `zone_id = "${facts.zone.id}"
  pattern = "${facts.zone.name}/${path}/*"
  script = cloudflare_workers_script.one.script_name`,
  );

const cron = (facts: Facts, time: string): string =>
  script(facts, { crons: true }) +
  block(
    'workers_cron_trigger',
    `account_id = "${facts.accountId}"
  script_name = cloudflare_workers_script.one.script_name
  schedules = [{
    cron = "${time}"
  }]`,
  );

const namespace = (facts: Facts, title = nameOf(facts)): string =>
  block('workers_kv_namespace', `account_id = "${facts.accountId}"\n  title = "${title}"`);

const value = (facts: Facts, text: string): string =>
  namespace(facts) +
  block(
    'workers_kv',
    `account_id = "${facts.accountId}"
  namespace_id = cloudflare_workers_kv_namespace.one.id
  key_name = "a-key"
  value = "${text}"`,
  );

const database = (facts: Facts, mode: string): string =>
  block(
    'd1_database',
    `account_id = "${facts.accountId}"
  name = "${nameOf(facts)}"
  read_replication = {
    mode = "${mode}"
  }`,
  );

const queue = (facts: Facts, delay: number): string =>
  block(
    'queue',
    `account_id = "${facts.accountId}"
  queue_name = "${nameOf(facts)}"
  settings = {
    delivery_delay = ${delay}
    delivery_paused = false
    message_retention_period = 345600
  }`,
  );

const consumer = (facts: Facts, size: number): string =>
  script(facts, { crons: true }) +
  queue(facts, 0) +
  block(
    'queue_consumer',
    `account_id = "${facts.accountId}"
  queue_id = cloudflare_queue.one.queue_id
  script_name = cloudflare_workers_script.one.script_name
  type = "worker"
  settings = {
    batch_size = ${size}
    max_retries = 3
    max_wait_time_ms = 5000
    retry_delay = 10
  }`,
  );

const bucket = (facts: Facts, storageClass: string): string =>
  block(
    'r2_bucket',
    `account_id = "${facts.accountId}"
  name = "${nameOf(facts)}"
  storage_class = "${storageClass}"`,
  );

const worker = (facts: Facts, tag = 'one', more = ''): string =>
  block(
    'worker',
    `account_id = "${facts.accountId}"
  name = "${nameOf(facts)}"
  tags = ["${tag}"]
  observability = {
    enabled = true
  }${more}`,
  );

/** A provider cannot import it, because its text is never returned. */
const secretBinding = `
    name = "KEY"
    type = "secret_text"
    text = "a secret"
  }, {`;

/**
 * With a class of objects, a variable and a database: the response for each of them is compared with the plan. They are
 * in the order of their names, as an import reads them.
 */
const version = (facts: Facts, text: string, secret = ''): string =>
  // A store that a deployed Worker is bound to cannot be deleted: the Worker is deleted first.
  worker(facts, 'one', '\n  depends_on = [cloudflare_d1_database.one]') +
  database(facts, 'disabled') +
  block(
    'worker_version',
    `account_id = "${facts.accountId}"
  worker_id = cloudflare_worker.one.id
  main_module = "index.js"
  compatibility_date = "2026-03-01"
  compatibility_flags = ["nodejs_compat"]
  annotations = {
    workers_message = "${text}"
  }
  modules = [{
    name = "index.js"
    content_type = "application/javascript+module"
    content_base64 = base64encode("import note from './note.txt'; import { DurableObject } from 'cloudflare:workers'; export class Room extends DurableObject {} export default { fetch: () => new Response('${text} ' + note) };")
  }, {
    name = "note.txt"
    content_type = "text/plain"
    content_base64 = base64encode("a note")
  }]
  migrations = {
    new_tag = "v1"
    new_sqlite_classes = ["Room"]
  }
  bindings = [{
    name = "DB"
    type = "d1"
    database_id = cloudflare_d1_database.one.id
  }, {
    name = "GREETING"
    type = "plain_text"
    text = "${text}"
  }, {${secret}
    name = "ROOMS"
    type = "durable_object_namespace"
    class_name = "Room"
  }]`,
  );

const deployment = (facts: Facts, text: string): string =>
  version(facts, text, secretBinding) +
  block(
    'workers_deployment',
    `account_id = "${facts.accountId}"
  script_name = cloudflare_worker.one.name
  strategy = "percentage"
  versions = [{
    percentage = 100
    version_id = cloudflare_worker_version.one.id
  }]
  annotations = {
    workers_message = "${text}"
  }`,
  );

/** The bindings of a Worker that provider 4 has; a WebAssembly module needs the older format. */
const boundBefore = (facts: Facts, text: string): string => {
  const name = nameOf(facts);
  const account = `account_id = "${facts.accountId}"`;
  return (
    block('workers_kv_namespace', `${account}\n  title = "${name}"`) +
    block('d1_database', `${account}\n  name = "${name}"`) +
    block('r2_bucket', `${account}\n  name = "${name}"`) +
    block('queue', `${account}\n  name = "${name}"`) +
    block(
      'workers_script',
      `${account}
  name = "${name}-other"
  content = "addEventListener('fetch', (event) => event.respondWith(new Response('other')))"`,
      'other',
    ) +
    block(
      'workers_script',
      `${account}
  name = "${name}"
  content = "addEventListener('fetch', (event) => event.respondWith(new Response(TEXT)))"
  compatibility_date = "2026-03-01"
  plain_text_binding {
    name = "TEXT"
    text = "${text}"
  }
  secret_text_binding {
    name = "SECRET"
    text = "a secret"
  }
  kv_namespace_binding {
    name = "KV"
    namespace_id = cloudflare_workers_kv_namespace.one.id
  }
  d1_database_binding {
    name = "DB"
    database_id = cloudflare_d1_database.one.id
  }
  r2_bucket_binding {
    name = "FILES"
    bucket_name = cloudflare_r2_bucket.one.name
  }
  queue_binding {
    binding = "JOBS"
    queue = cloudflare_queue.one.name
  }
  service_binding {
    name = "OTHER"
    service = cloudflare_workers_script.other.name
    environment = "production"
  }
  analytics_engine_binding {
    name = "NUMBERS"
    dataset = "numbers"
  }
  hyperdrive_config_binding {
    binding = "FAST"
    id = "0123456789abcdef0123456789abcdef"
  }
  webassembly_binding {
    name = "WASM"
    module = "AGFzbQEAAAA="
  }`,
    )
  );
};

/** Sent once: an upload applies what it names. */
const firstMigration = `migrations = {
    new_tag = "v1"
    new_sqlite_classes = ["Room"]
  }`;

/** In the order of their names, as an import reads them. */
const bound = (facts: Facts, text: string, migrations = ''): string =>
  namespace(facts) +
  database(facts, 'disabled') +
  bucket(facts, 'Standard') +
  queue(facts, 0) +
  block(
    'workers_script',
    `account_id = "${facts.accountId}"
  script_name = "${nameOf(facts)}-other"
  main_module = "index.js"
  content = "export default { fetch: () => new Response('other') };"`,
    'other',
  ) +
  block(
    'workers_script',
    `account_id = "${facts.accountId}"
  script_name = "${nameOf(facts)}"
  main_module = "index.js"
  compatibility_date = "2026-03-01"
  content = "import { DurableObject } from 'cloudflare:workers'; export class Room extends DurableObject {} export default { fetch: () => new Response('${text}') };"
  ${migrations}
  bindings = [
    { name = "AI", type = "ai" },
    { name = "DB", type = "d1", id = cloudflare_d1_database.one.id },
    { name = "FILES", type = "r2_bucket", bucket_name = cloudflare_r2_bucket.one.name },
    { name = "JOBS", type = "queue", queue_name = cloudflare_queue.one.queue_name },
    { name = "JSON", type = "json", json = jsonencode({ a = 1 }) },
    { name = "KV", type = "kv_namespace", namespace_id = cloudflare_workers_kv_namespace.one.id },
    { name = "MAIL", type = "send_email" },
    { name = "NUMBERS", type = "analytics_engine", dataset = "numbers" },
    { name = "OTHER", type = "service", service = cloudflare_workers_script.other.script_name },
    { name = "ROOMS", type = "durable_object_namespace", class_name = "Room" },
    { name = "SECRET", type = "secret_text", text = "a secret" },
    { name = "TEXT", type = "plain_text", text = "${text}" },
    { name = "VERSION", type = "version_metadata" }
  ]`,
  );

export const workerCases: readonly ResourceCase[] = [
  {
    ...common,
    name: 'cloudflare_workers_script',
    configurations: (facts) => [script(facts), script(facts, { text: 'two' })],
    imports: importFrom('workers_script', ofAccount('script_name')),
    isImportPartial: true,
  },
  {
    provider: 'provider-4',
    plan: 'free',
    name: 'cloudflare_workers_script with every binding',
    configurations: (facts) => [boundBefore(facts, 'one'), boundBefore(facts, 'two')],
  },
  {
    ...common,
    name: 'cloudflare_workers_script with every binding',
    configurations: (facts) => [bound(facts, 'one', firstMigration), bound(facts, 'two')],
  },
  {
    ...common,
    name: 'cloudflare_worker',
    configurations: (facts) => [worker(facts), worker(facts, 'two')],
    imports: importFrom('worker', ofAccount('id')),
  },
  {
    ...common,
    name: 'cloudflare_worker_version',
    configurations: (facts) => [version(facts, 'one'), version(facts, 'two')],
    imports: importFrom(
      'worker_version',
      ({ worker_id: owner, id }, { accountId }) => `${accountId}/${String(owner)}/${String(id)}`,
    ),
  },
  {
    ...common,
    name: 'cloudflare_workers_deployment',
    configurations: (facts) => [deployment(facts, 'one'), deployment(facts, 'two')],
    imports: importFrom(
      'workers_deployment',
      ({ script_name: script, id }, { accountId }) => `${accountId}/${String(script)}/${String(id)}`,
    ),
  },
  {
    ...common,
    name: 'cloudflare_workers_route',
    configurations: (facts) => [route(facts, 'a'), route(facts, 'b')],
    imports: importFrom('workers_route', ({ id }, { zone }) => `${zone.id}/${String(id)}`),
  },
  {
    ...common,
    name: 'cloudflare_workers_cron_trigger',
    configurations: (facts) => [cron(facts, '*/30 * * * *'), cron(facts, '0 0 * * *')],
    imports: importFrom('workers_cron_trigger', ofAccount('script_name')),
    isImportPartial: true,
  },
  {
    ...common,
    name: 'cloudflare_workers_kv_namespace',
    configurations: (facts) => [namespace(facts), namespace(facts, `${nameOf(facts)}-2`)],
    imports: importFrom('workers_kv_namespace', ofAccount('id')),
  },
  {
    ...common,
    name: 'cloudflare_workers_kv',
    configurations: (facts) => [value(facts, 'one'), value(facts, 'two')],
    imports: importFrom(
      'workers_kv',
      ({ namespace_id: id }, { accountId }) => `${accountId}/${String(id)}/a-key`,
    ),
  },
  {
    ...common,
    name: 'cloudflare_d1_database',
    configurations: (facts) => [database(facts, 'auto'), database(facts, 'disabled')],
    imports: importFrom('d1_database', ofAccount('id')),
  },
  {
    ...common,
    name: 'cloudflare_queue',
    configurations: (facts) => [queue(facts, 5), queue(facts, 10)],
    imports: importFrom('queue', ofAccount('queue_id')),
  },
  {
    ...common,
    name: 'cloudflare_queue_consumer',
    configurations: (facts) => [consumer(facts, 5), consumer(facts, 10)],
  },
  {
    ...common,
    name: 'cloudflare_r2_bucket',
    configurations: (facts) => [bucket(facts, 'Standard'), bucket(facts, 'InfrequentAccess')],
    imports: importFrom('r2_bucket', ({ name }, { accountId }) => `${accountId}/${String(name)}/default`),
  },
];
