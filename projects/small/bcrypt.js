import bcrypt from 'bcryptjs';

export default {
  async fetch() {
    const hash = await bcrypt.hash('secret', '$2b$04$abcdefghijklmnopqrstuu');
    return Response.json({
      hash,
      right: await bcrypt.compare('secret', hash),
      wrong: await bcrypt.compare('x', hash),
    });
  },
};
