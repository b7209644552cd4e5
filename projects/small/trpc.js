import { initTRPC } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import superjson from 'superjson';
import { z } from 'zod';

const t = initTRPC.create({ transformer: superjson });
const router = t.router({
  user: t.procedure
    .input(z.object({ id: z.string() }))
    .query(({ input }) => ({ id: input.id, at: new Date(5) })),
});

export default {
  fetch: (req) => fetchRequestHandler({ endpoint: '/trpc', req, router, createContext: () => ({}) }),
};
