package dev.cerrojo.backoffice.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.springframework.http.HttpMethod;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses what a page of another site makes a browser send with the user's cached password: browsers tell in {@code
 * Sec-Fetch-Site}. Other clients send no such header.
 */
final class CrossSiteFilter extends OncePerRequestFilter {
    private static final Set<String> HARMLESS = Set.of(HttpMethod.GET.name(), HttpMethod.HEAD.name());
    private static final Set<String> OWN = Set.of("same-origin", "none");

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && !OWN.contains(site) && !HARMLESS.contains(request.getMethod())) {
            response.sendError(HttpServletResponse.SC_FORBIDDEN, "requests of other sites may not change anything");
        } else {
            chain.doFilter(request, response);
        }
    }
}
