import { produce, produceWithPatches, enablePatches } from 'immer';

enablePatches();

export default {
  fetch() {
    const base = { a: [1, 2], b: { c: true } };
    const next = produce(base, (draft) => void draft.a.push(3));
    const [, patches] = produceWithPatches(next, (draft) => void (draft.b.c = false));
    return Response.json({ next, patches, isShared: next.b === base.b });
  },
};
