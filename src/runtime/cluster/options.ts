/** The options of a host that joins a cluster. */
import type { Listen } from './calls/peers.ts';
import { leaseMsMin } from './limits.ts';
import { schemaPattern } from './postgres/schema-name.ts';
import type { JoinPurpose } from './postgres/schema.ts';

export interface ClusterOptions {
  /**
   * `postgres://user:password@machine:port/database`, or several such, each with a name of its own after a `#`: the
   * objects are spread over the databases, and each stays where it was created.
   */
  readonly url: string | readonly string[];
  /** The name of the cluster; a database contains one. `gatehouse` by default. */
  readonly name?: string;
  /**
   * The schema of its tables in each database: lower-case letters, digits and underscores. `gatehouse` by default; clusters
   * with different schemas can be in one database.
   */
  readonly schema?: string;
  /**
   * The code that the objects of this host run. Hosts of any other code stop renewing their leases, and this one joins
   * when all of them have left or are dead: so no object ever runs two codes at the same time, and none calls one of
   * the other code.
   */
  readonly code?: string;
  /** How long an unresponsive host keeps its objects, five seconds by default. */
  readonly leaseMs?: number;
  /**
   * Processor time that objects of this host may take without a pause before its lease is given up, 30 seconds by default;
   * ten times that by the clock.
   */
  readonly stuckMs?: number;
  /** How long objects wait for a database that does not respond before they report an error, 15 seconds by default. */
  readonly waitMs?: number;
  /**
   * Where this host answers calls of the others, so that every object can be reached from every host. Without it, this
   * host reaches only its own objects.
   */
  readonly listen?: Listen;
  /**
   * `fill`: this host copies objects into a cluster that has none. No other host can join before `endFilling` was
   * called, which may be after an interruption and another attempt.
   */
  readonly purpose?: JoinPurpose;
  /** Receives warnings; by default they are discarded. */
  readonly log?: (message: string, error?: unknown) => void;
}

/** A host that connects to one of these addresses connects to itself. */
const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Throws if an option is invalid. */
export function checkOptions({ name, schema, leaseMs, listen, stuckMs, waitMs }: ClusterOptions): void {
  if (name !== undefined && !/^[\w.-]{1,64}$/.test(name))
    throw new TypeError(`name must be 1 to 64 letters, digits, dots, dashes or underscores: ${name}`);
  if (schema !== undefined && !schemaPattern.test(schema))
    throw new TypeError(`schema must be 1 to 63 lower-case letters, digits or underscores: ${schema}`);
  if (listen !== undefined && listen.advertise === undefined && everyAddress.has(listen.host ?? ''))
    throw new TypeError(
      `listen.advertise must say where other hosts reach this one: ${listen.host} is every address of this machine`,
    );
  if (leaseMs !== undefined && !(leaseMs >= leaseMsMin))
    throw new RangeError(`leaseMs must be at least ${leaseMsMin}: ${leaseMs}`);
  if (stuckMs !== undefined && !(stuckMs > 0))
    throw new RangeError(`stuckMs must be a number of milliseconds: ${stuckMs}`);
  if (waitMs !== undefined && !(waitMs >= 0))
    throw new RangeError(`waitMs must be a number of milliseconds: ${waitMs}`);
}
