/** The bindings of a version: validated, including those that it inherits from the previous version. */
import { entryOf, Fault, fault, workerCodes } from '#contract';
import { bindingBytesMax, bindingsMax } from '../../context/limits.ts';
import type { ScriptBinding } from '../../context/worker-host.ts';
import { refuseUnsupported, refuseUpload } from './read-upload.ts';

export interface VersionBindings {
  /** Secrets are without their texts. */
  readonly bindings: readonly ScriptBinding[];
  /** The texts of secrets by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Why the texts are missing; an upload may provide them again. */
  readonly unreadable?: string;
}

export interface BindingsSource {
  readonly sent: readonly { readonly type: string }[];
  /** Types of bindings that are kept although they are not named. */
  readonly keptTypes: readonly string[];
  readonly before: VersionBindings;
}

const served: ReadonlySet<string> = new Set([
  'plain_text',
  'json',
  'secret_text',
  'durable_object_namespace',
  'service',
  'ratelimit',
  'workflow',
  'version_metadata',
  'assets',
  'text_blob',
  'data_blob',
  'wasm_module',
  'inherit',
]);

const throwing = 'each use throws an error';

/** Types that are accepted, because most of a Worker works without them, with the consequence of using them. */
export const absentBindings: ReadonlyMap<string, string> = new Map([
  ['ai', throwing],
  ['analytics_engine', 'writeDataPoint drops its data points'],
  ['browser', throwing],
  ['dispatch_namespace', throwing],
  ['hyperdrive', throwing],
  ['images', throwing],
  ['logfwdr', throwing],
  ['mtls_certificate', throwing],
  ['pipelines', 'send drops its records'],
  ['secrets_store_secret', throwing],
  ['send_email', throwing],
  ['vectorize', throwing],
  ['worker_loader', throwing],
]);

/** Stores of the account: the field that identifies the store. */
const stores: Readonly<Record<string, string>> = {
  kv_namespace: 'namespace_id',
  d1: 'id',
  queue: 'queue_name',
  r2_bucket: 'bucket_name',
};

export function joinBindings({ sent, keptTypes, before }: BindingsSource): VersionBindings {
  if (sent.length > bindingsMax) throw refuseUpload(`there are more than ${bindingsMax} bindings`);
  const named = sent.map((binding, index) => checkBinding(binding, index));
  const names = named.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw refuseUpload(`two bindings have the name ${twice}`);
  const taken = new Set(names);
  const kept = before.bindings.filter(({ type, name }) => !taken.has(name) && keptTypes.includes(type));
  const secrets: Record<string, string> = {};
  const bindings = [...named.map((binding) => inherit(binding, before)), ...kept].map((binding) => {
    if (binding.type !== 'secret_text') return binding;
    const { text, type, name } = binding;
    secrets[name] = typeof text === 'string' ? text : before.secrets[name]!;
    return { type, name };
  });
  refuseUnreadable(bindings, secrets, before);
  checkSize(bindings, secrets);
  refuseMissing(bindings);
  return { bindings, secrets };
}

/** Changes the texts of secrets; null removes one. */
export function changeSecrets(
  before: VersionBindings,
  changes: Readonly<Record<string, string | null>>,
): VersionBindings {
  const bindings = before.bindings.filter(({ name }) => !Object.hasOwn(changes, name));
  const secrets: Record<string, string> = { ...before.secrets };
  for (const [name, text] of Object.entries(changes)) {
    const old = before.bindings.find((each) => each.name === name);
    if (old !== undefined && old.type !== 'secret_text')
      throw refuseUpload(`the name ${name} belongs to a binding of the type ${old.type}: choose another one`);
    if (text === null) {
      if (old === undefined) throw fault(workerCodes.secretNotFound, { fill: { name } });
      delete secrets[name];
      continue;
    }
    bindings.push({ type: 'secret_text', name });
    secrets[name] = text;
  }
  refuseUnreadable(bindings, secrets, before);
  checkSize(bindings, secrets);
  return { bindings, secrets };
}

/** Names of secrets whose texts differ between two versions. */
export function listChangedSecrets(one: VersionBindings, other: VersionBindings): string[] {
  const names = new Set([...Object.keys(one.secrets), ...Object.keys(other.secrets)]);
  return [...names].filter((name) => one.secrets[name] !== other.secrets[name]).toSorted();
}

function checkBinding(sent: { readonly type: string }, index: number): ScriptBinding {
  const { type, name, ...fields } = renameDatabaseId(sent);
  if (typeof name !== 'string' || name === '') throw fault(workerCodes.bindingUnnamed, { fill: { index } });
  const requireText = (field: string): string => {
    const value = fields[field];
    if (typeof value === 'string' && value !== '') return value;
    throw refuseUpload(`binding ${name} of type ${type} must have a valid \`${field}\` specified`);
  };
  if (Object.hasOwn(stores, type)) requireText(stores[type]!);
  if (type === 'secret_key')
    throw refuseUnsupported(`the binding ${name}: there are no secrets of the type secret_key`);
  if (!served.has(type) && !absentBindings.has(type) && !Object.hasOwn(stores, type))
    throw refuseUpload(`binding ${name} has a type that is not known: ${type.slice(0, 60)}`);
  if (type === 'plain_text' || type === 'secret_text') {
    if (typeof fields['text'] !== 'string')
      throw refuseUpload(`binding ${name} of type ${type} must have a text`);
  }
  if (type === 'durable_object_namespace') {
    requireText('class_name');
    if (fields['script_name'] !== undefined) requireText('script_name');
  }
  if (type === 'service') checkService(requireText('service'), { name, ...fields });
  if (type === 'workflow') {
    requireText('workflow_name');
    requireText('class_name');
  }
  if (type === 'ratelimit') requireText('namespace_id');
  return { type, name, ...fields };
}

const nameCharactersMax = 256;

function checkService(
  service: string,
  {
    name,
    entrypoint,
    props,
    environment = 'production',
  }: { readonly name: string; readonly [field: string]: unknown },
): void {
  if (service.length > nameCharactersMax)
    throw refuseUpload(`binding ${name} of type service must have a valid \`service\` specified`);
  if (environment !== 'production')
    throw fault(workerCodes.serviceEnvironment, {
      fill: { binding: name, script: service, environment: String(environment).slice(0, 63) },
    });
  if (entrypoint !== undefined && (typeof entrypoint !== 'string' || entrypoint === ''))
    throw refuseUpload(`binding ${name} of type service must have a valid \`entrypoint\` specified`);
  if (props !== undefined && (typeof props !== 'object' || props === null || Array.isArray(props)))
    throw refuseUpload(`binding ${name} of type service must have an object as \`props\``);
}

/** The id of a database has two field names; the second is kept to be shown again. */
function renameDatabaseId(sent: {
  readonly type: string;
}): Record<string, unknown> & { readonly type: string } {
  const { database_id: id, ...fields } = sent as Record<string, unknown> & { readonly type: string };
  return fields.type === 'd1' && id !== undefined ? { id, database_id: id, ...fields } : fields;
}

function inherit(binding: ScriptBinding, before: VersionBindings): ScriptBinding {
  if (binding.type !== 'inherit') return binding;
  const { name, old_name: oldName = name } = binding;
  const found = before.bindings.find((each) => each.name === oldName);
  if (found === undefined) return binding;
  if (found.type === 'secret_text') return { type: found.type, name, text: before.secrets[found.name] };
  return { ...found, name };
}

/** One error for each, because Wrangler lists them. */
function refuseMissing(bindings: readonly ScriptBinding[]): void {
  const missing = bindings.filter(({ type }) => type === 'inherit');
  if (missing.length === 0) return;
  throw new Fault(
    workerCodes.inheritUnknown.status,
    missing.map(({ name }) => entryOf(workerCodes.inheritUnknown, { fill: { name } })),
  );
}

/** Keeping a secret without its text would change it. */
function refuseUnreadable(
  bindings: readonly ScriptBinding[],
  secrets: VersionBindings['secrets'],
  { unreadable }: VersionBindings,
): void {
  if (unreadable === undefined) return;
  const lost = bindings.filter(({ type, name }) => type === 'secret_text' && secrets[name] === undefined);
  if (lost.length > 0)
    throw refuseUpload(
      `the secrets ${lost.map(({ name }) => name).join(', ')} cannot be read (${unreadable}): send them again with an upload`,
    );
}

function checkSize(bindings: readonly ScriptBinding[], secrets: VersionBindings['secrets']): void {
  if (bindings.length > bindingsMax) throw refuseUpload(`there are more than ${bindingsMax} bindings`);
  const bytes = Buffer.byteLength(JSON.stringify(bindings)) + Buffer.byteLength(JSON.stringify(secrets));
  if (bytes > bindingBytesMax)
    throw refuseUpload(`variables and secrets have ${bytes} bytes, and ${bindingBytesMax} are allowed`);
}
