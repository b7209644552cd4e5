import { issuer } from '@openauthjs/openauth';
import { CodeProvider } from '@openauthjs/openauth/provider/code';
import { MemoryStorage } from '@openauthjs/openauth/storage/memory';
import { createSubjects } from '@openauthjs/openauth/subject';
import { object, string } from 'valibot';

const subjects = createSubjects({ user: object({ mail: string() }) });

export default {
  fetch(request, env, ctx) {
    return issuer({
      subjects,
      storage: MemoryStorage(),
      providers: {
        code: CodeProvider({ request: async () => Response.json('ask'), sendCode: async () => {} }),
      },
      success: async (context, { claims }) => context.subject('user', { mail: claims.email }),
    }).fetch(request, env, ctx);
  },
};
