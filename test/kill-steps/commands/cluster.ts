/** Commands that write to a cluster, or read one. */
import { equal } from 'node:assert/strict';
import { createFolder, runCommand } from '../rig.ts';
import { checkMade, checkState, type KilledCommand, oldOnly, type Parts } from '../attempt.ts';
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
        // Nothing has been written yet: a server started there would create another cluster.
        if (row!['there'] === null) return false;
        return checkState(await double.look(t, { url }), oldOnly, { mayRefuse: true });
      },
      checkDone: async () => void checkState(await double.look(t, { url }), oldOnly),
    };
  },
};

let filled: Promise<string> | undefined;

/** A separate cluster with the data of the template. */
async function copyCluster({ shared, single, postgres }: Parts): Promise<string> {
  filled ??= (async () => {
    const url = await postgres.createDatabase();
    const folder = createFolder(shared);
    single.copyTo(folder);
    const { code, said } = await runCommand(folder, {
      args: ['cluster', 'import', '--data', 'data'],
      environment: { GATEHOUSE_CLUSTER: url },
    });
    equal(code, 0, said);
    return url;
  })();
  return await postgres.createDatabase(await filled);
}

const exportAll: KilledCommand = {
  decisive: /^rm data\/cluster-export\.unfinished/,
  isOnlyInSweep: true,
  async prepare(parts, folder) {
    return {
      args: ['cluster', 'export', '--data', 'data'],
      environment: { GATEHOUSE_CLUSTER: await copyCluster(parts) },
      ...checkMade(parts, parts.single, folder),
    };
  },
};

const renewOwner: KilledCommand = {
  decisive: /^statement WITH lease/,
  isOnlyInSweep: true,
  async prepare(parts) {
    const url = await copyCluster(parts);
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
