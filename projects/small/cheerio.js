import { load } from 'cheerio';

export default {
  async fetch(request) {
    const $ = load((await request.text()) || '<ul><li>a<li class=x>b</ul>');
    return Response.json({
      items: $('li')
        .map((_, item) => $(item).text())
        .get(),
      x: $('.x').length,
    });
  },
};
