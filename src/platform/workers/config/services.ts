/** Bindings to Workers: to this one, or to others that run beside it. */
import type { Section } from './section.ts';

export interface ServiceBinding {
  readonly name: string;
  /** The name of the Worker. */
  readonly service: string;
  /** The exported class that answers; undefined for the default export. */
  readonly entrypoint: string | undefined;
  /** The value of the entry point's `ctx.props`. */
  readonly props: Readonly<Record<string, unknown>>;
}

/** A class of a Worker that runs in another process. */
export interface ObjectsElsewhere {
  readonly worker: string;
  /** The key from which ids are derived, and under which the objects are stored. */
  readonly uniqueKey: string;
}

export function readServices(config: Section): ServiceBinding[] {
  const names = new Set<string>();
  return config.sections('services').map((binding) => {
    const name = binding.requiredString('binding');
    if (names.has(name)) throw binding.error(`two bindings have the name ${name}`);
    names.add(name);
    const props = binding.section('props');
    const environment = binding.string('environment');
    const service = binding.requiredString('service');
    return {
      name,
      service: environment === undefined ? service : `${service}-${environment}`,
      entrypoint: binding.string('entrypoint'),
      props: Object.fromEntries((props?.keys ?? []).map((key) => [key, props!.value(key)])),
    };
  });
}
