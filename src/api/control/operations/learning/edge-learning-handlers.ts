/** What separate edges have learned about values. */
import { edgeCodes, fault, genericCodes, ok } from '#contract';
import { decodeSample } from '#learning';
import type { ObjectsHandlers } from '../several-objects.ts';

export const edgeLearningHandlers: ObjectsHandlers<'edgeLearning'> = {
  async 'edgeLearning.add'({ directory, getZone }, { body: { zone_id: zoneId, ...batch } }) {
    if (directory.zones.get(zoneId) === undefined) throw fault(genericCodes.zoneNotFound);
    const wrong = batch.values.findIndex(({ sample }) => decodeSample(sample) === undefined);
    if (wrong !== -1) throw fault(edgeCodes.learnedInvalid, { pointer: `/values/${wrong}/sample` });
    return ok({ values: await getZone(zoneId).learn(batch) });
  },
};
