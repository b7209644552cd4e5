/** The peers of a control plane: none, or the other hosts of its cluster. */
import type { Directory } from '../context/directory.ts';
import type { ControlOptions } from '../control-options.ts';
import type { ChangeFeed } from '../pipeline/change-feed.ts';
import { Alone } from './alone.ts';
import type { Peers } from './peers.ts';
import { SharedControl } from './shared-control.ts';

export function createPeers(options: ControlOptions, directory: () => Directory, changes: ChangeFeed): Peers {
  const { cluster, onError } = options;
  if (cluster === undefined) return new Alone(options, { directory, changes });
  const parts = { options, cluster, directory, changes };
  return new SharedControl({ ...parts, onError: (error) => onError(error, '') });
}
