import Stripe from 'stripe';

const stripe = new Stripe('sk_test_x', { httpClient: Stripe.createFetchHttpClient() });
const payload = '{"id":"evt_1","object":"event"}';

export default {
  async fetch(request) {
    const secret = 'whsec_test';
    const header = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp: 1 });
    try {
      const event = await stripe.webhooks.constructEventAsync(
        payload,
        header,
        secret,
        Number.MAX_SAFE_INTEGER,
      );
      const other = new URL(request.url).pathname === '/wrong' ? 'whsec_other' : secret;
      await stripe.webhooks.constructEventAsync(payload, header, other, Number.MAX_SAFE_INTEGER);
      return Response.json({ header, id: event.id });
    } catch ({ type }) {
      return Response.json({ header, type }, { status: 400 });
    }
  },
};
