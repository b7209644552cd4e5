/** The ways to authenticate. */
import type { JsonSchema } from '#shapes';

export const securitySchemes: JsonSchema = {
  token: { type: 'http', scheme: 'bearer', description: 'An API token: of a user, or of the account.' },
  email: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth-Email',
    description: 'The e-mail address of the user whose key it is.',
  },
  key: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth-Key',
    description: 'The key of a user, together with the e-mail address. It may do everything.',
  },
};

/** A token, or a user's mail address together with the key. */
export const security: readonly JsonSchema[] = [{ token: [] }, { email: [], key: [] }];
