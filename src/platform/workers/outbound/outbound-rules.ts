/**
 * The addresses that a Worker's code may connect to: those that an origin may have, and sockets of the file system in
 * the one folder for them. Sockets are compared by their real paths: links and `..` are resolved first.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isStartingOwn } from '#work';
import {
  chooseAddresses,
  ConnectionForbiddenError,
  ObstacleError,
  type OriginObstacle,
  OriginRules,
  type OriginRulesOptions,
} from '#outbound';

export interface OutboundOptions extends OriginRulesOptions {
  /** The folder of allowed sockets of the file system; without it, there are none. */
  readonly socketFolder?: string;
  /** The folder of the sockets to the origins of zones; without it, zones are treated like all other addresses. */
  readonly edgeSockets?: string;
}

export class OutboundRules {
  readonly #addresses: OriginRules;
  readonly #socketFolder: string | undefined;
  readonly edgeSockets: string | undefined;

  constructor(options: OutboundOptions) {
    this.edgeSockets = options.edgeSockets;
    this.#addresses = new OriginRules(options);
    this.#socketFolder = options.socketFolder === undefined ? undefined : resolve(options.socketFolder);
  }

  /** For a name or an address; the addresses of names are checked after resolution. */
  refuseHost(host: string, port: number): ConnectionForbiddenError | undefined {
    return this.#refuse(this.#addresses.findObstacle(host, port), host, port);
  }

  /** For what the system connects to, which must be an address. */
  refuseAddress(address: string, port: number): ConnectionForbiddenError | undefined {
    return this.#refuse(this.#addresses.findAddressObstacle(address, port), address, port);
  }

  #refuse(obstacle: OriginObstacle | undefined, host: string, port: number): ObstacleError | undefined {
    // The database and the hosts of a cluster use this exception.
    if (obstacle === undefined || isStartingOwn()) return undefined;
    return new ObstacleError(obstacle, { host, port });
  }

  /** The addresses of a name that may be connected to. Throws an `ObstacleError` if there is none. */
  chooseAddresses(addresses: readonly string[], host: string, port: number): readonly string[] {
    return isStartingOwn() ? addresses : chooseAddresses(this.#addresses, addresses, { host, port });
  }

  refuseSocket(path: string): ConnectionForbiddenError | undefined {
    // Connections between object hosts use this exception.
    if (isStartingOwn()) return undefined;
    const folder = this.#socketFolder;
    if (folder !== undefined && !path.includes('\0')) {
      const isInside = findRealPath(path).startsWith(findRealPath(folder) + sep);
      if (isInside) return undefined;
    }
    const allowed =
      folder === undefined ? 'there is no folder for sockets here' : `only those in ${folder} are`;
    return new ConnectionForbiddenError(
      `cannot connect to ${JSON.stringify(path)}: sockets of the file system are not open to a Worker; ${allowed}`,
    );
  }
}

/** As far as the path exists: a missing part cannot be a link. */
function findRealPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    const parent = dirname(whole);
    return parent === whole ? whole : join(findRealPath(parent), basename(whole));
  }
}
