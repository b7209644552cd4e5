import Mustache from 'mustache';

export default {
  fetch: (request) =>
    new Response(
      Mustache.render('{{#list}}<{{.}}>{{/list}} {{path}}', {
        list: [1, 2],
        path: new URL(request.url).search,
      }),
    ),
};
