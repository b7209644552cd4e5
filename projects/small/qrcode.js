import QRCode from 'qrcode';

export default {
  fetch: async (request) =>
    new Response(await QRCode.toString(new URL(request.url).pathname, { type: 'svg' }), {
      headers: { 'content-type': 'image/svg+xml' },
    }),
};
