import { XMLBuilder, XMLParser } from 'fast-xml-parser';

export default {
  async fetch(request) {
    const parsed = new XMLParser({ ignoreAttributes: false }).parse(
      (await request.text()) || '<a b="1"><c>2</c></a>',
    );
    return Response.json({ parsed, built: new XMLBuilder({ ignoreAttributes: false }).build(parsed) });
  },
};
