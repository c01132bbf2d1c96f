extension Endpoints {
    /// Makes every endpoint out of what they share.
    init(
        _ configuration: ServiceConfiguration, screens: Screens, rendering: TreeRendering,
        metrics: MetricsEndpoint
    ) {
        let parameters = configuration.parameters
        let reading = PageReading(
            limits: configuration.limits, metrics: rendering.metrics, clock: rendering.clock)
        compose = ComposeEndpoint(reading: reading, rendering: rendering, limits: parameters)
        self.screens = ScreensEndpoint(
            screens: screens, seal: rendering.seal, limits: parameters)
        layout = ScreenLayoutEndpoint(
            screens: screens, rendering: rendering, limits: parameters)
        pageState = PageStateEndpoint(screens: screens, limits: configuration)
        pages = PagesEndpoint(
            screens: screens, reading: reading, rendering: rendering, limits: configuration)
        catalog = CatalogEndpoint()
        health = HealthEndpoint(screens: screens)
        self.metrics = metrics
        openAPI = OpenAPIEndpoint()
    }
}
