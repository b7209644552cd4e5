/** Commands that write to a cluster, or read one. */
import { equal } from 'node:assert/strict';
import { runCommand } from '../rig.ts';
import { type Attempt, checkMade, checkState, type KilledCommand, oldOnly, type Parts } from '../attempt.ts';
import { checkRenewed } from './owner.ts';

const importAll: KilledCommand = {
  decisive: /^statement COMMIT/,
  async prepare(parts, folder) {
    const { double, postgres, t } = parts;
    double.copyTo(folder);
    const url = await postgres.createDatabase();
    const database = new URL(url).pathname.slice(1);
    return {
      args: ['cluster', 'import', '--data', 'data'],
      environment: { GATEHOUSE_CLUSTER: url },
      async checkKilled() {
        const [row] = await postgres.execute(
          "SELECT to_regclass('gatehouse.cluster')::text AS there",
          database,
        );
        // Nothing has been written yet: whoever starts a server there starts another cluster.
        if (row!['there'] === null) return false;
        return checkState(await double.look(t, { url }), oldOnly, { mayRefuse: true });
      },
      checkDone: async () => void checkState(await double.look(t, { url }), oldOnly),
    };
  },
};

/** A cluster of its own with what the template has. */
async function fillCluster({ single, postgres }: Parts, folder: string): Promise<string> {
  const url = await postgres.createDatabase();
  single.copyTo(folder, 'source');
  const { code, said } = await runCommand(folder, {
    args: ['cluster', 'import', '--data', 'source'],
    environment: { GATEHOUSE_CLUSTER: url },
  });
  equal(code, 0, said);
  return url;
}

let filled: Promise<string> | undefined;

const exportAll: KilledCommand = {
  decisive: /^rm data\/cluster-export\.unfinished/,
  async prepare(parts, folder) {
    filled ??= fillCluster(parts, folder);
    return {
      args: ['cluster', 'export', '--data', 'data'],
      environment: { GATEHOUSE_CLUSTER: await filled },
      ...checkMade(parts, parts.single, folder),
    };
  },
};

const renewOwner: KilledCommand = {
  decisive: /^statement WITH lease/,
  async prepare(parts, folder): Promise<Attempt> {
    const url = await fillCluster(parts, folder);
    return {
      args: ['owner', 'reset'],
      environment: { GATEHOUSE_CLUSTER: url },
      ...checkRenewed(parts, { url }),
    };
  },
};

export const clusterCommands = {
  'cluster import': importAll,
  'cluster export': exportAll,
  'owner reset of a cluster': renewOwner,
};
