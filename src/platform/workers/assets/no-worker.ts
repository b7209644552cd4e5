/** The Worker of a project that has only assets: they answer every request, so nothing comes here. */
const handlers = { fetch: (): Response => new Response(null, { status: 404 }) };

export { handlers as default };
