import { betterAuth } from 'better-auth';
import { memoryAdapter } from '@better-auth/memory-adapter';

const tables = { user: [], session: [], account: [], verification: [] };
const auth = betterAuth({
  baseURL: 'http://auth.example',
  secret: 'a secret that is long enough for better-auth',
  trustedOrigins: ['*'],
  database: memoryAdapter(tables),
  emailAndPassword: {
    enabled: true,
    password: {
      hash: async (text) => `h:${text}`,
      verify: async ({ hash, password }) => hash === `h:${password}`,
    },
  },
});

export default {
  async fetch(request) {
    const response = await auth.handler(request);
    const { user, token, ...rest } = await response.json().catch(() => ({}));
    return Response.json(
      { name: user?.name, signedIn: token !== undefined, ...rest },
      { status: response.status },
    );
  },
};
