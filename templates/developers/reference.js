// Starts Swagger UI. Calls go out as the person who is signed in, with the token that forms carry too.
const token = () => document.querySelector('meta[name="csrf-token"]').content;
const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => root.classList.toggle("dark-mode", root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
paint();
dark.addEventListener("change", paint);
new MutationObserver(paint).observe(root, { attributeFilter: ["data-theme"] });

// The page has its own heading; the document's title would be a second one.
const withoutInfo = () => ({ wrapComponents: { InfoContainer: () => () => null } });

SwaggerUIBundle({
  url: "{{ schema_url|escapejs }}",
  dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [withoutInfo],
  layout: "BaseLayout",
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  requestInterceptor: (request) => {
    if (new URL(request.url, location.href).origin === location.origin) request.headers["X-CSRFToken"] = token();
    return request;
  },
});
