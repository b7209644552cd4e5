import { jwtVerify, SignJWT } from 'jose';

const key = new TextEncoder().encode('a secret of thirty-two characters!');

export default {
  async fetch(request) {
    const token = await new SignJWT({ path: new URL(request.url).pathname })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(4_102_444_800)
      .sign(key);
    const { payload, protectedHeader } = await jwtVerify(token, key);
    return Response.json({ path: payload.path, alg: protectedHeader.alg });
  },
};
