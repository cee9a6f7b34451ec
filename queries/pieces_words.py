"""Words of seven letters and more that code says often and that tokenizers hold as one token."""

from __future__ import annotations

COMMON = frozenset(
    """
    absolute abstract accessed accessing accessor actions adapted addition additional address against aggregate
    aggregates aggregation algorithm aliases allowed already alternate alternative ambiguous analyze annotate
    annotation annotations anonymous another answered answers anything application applied appropriate arbitrary
    archive argument arguments arithmetic arranged article assertion assertions assignment assignments associated
    attempt attribute attributes authentication autocomplete automatically available backend backward backwards
    because becomes behavior belongs benchmarks between binding bindings boolean boundary branches browser builtin
    caching calibrated callable callback callbacks callers calling candidate candidates capitalize capture captured
    cascade category certain changed changes changing character characters charset checkbox checked checking checkout
    children choices circular classes cleaned cleanup closing collect collection collections columns combined command
    commands comment comments commits committed compact compare compared compares comparison compatibility compile
    compiled compiler complete complex component components composite compound compress compute computed concrete
    condition conditional configs configuration configured connect connection connections connector console constant
    constraint constraints construct construction constructor contain contained container containing contains content
    contents context continue contrib contributors control conversion convert converted converter converters converts
    cookies copyright correct correctly corresponding counted counter country created creates creating creation
    current currently damaged database databases datetime debugger decides decimal declaration declarations declare
    declared decoded decorated decorator decorators default defaults deferred defined defines defining definition
    definitions degrees deleted deleting deletion denotes dependencies dependency depends deprecated describe
    described description descriptor descriptors deserialize destroy details dictionary difference differences
    different differing directive directives directly directory disable disabled discover display displayed displaying
    distance distinct distributed document documentation documents duplicate duration dynamic editable effects element
    elements enabled encoded encoding entered entries enumerate environ environment escaped escaping establish
    estimate evaluate evaluated everything evidence exactly example exception exceptions exclude execute executed
    executor existing expected explain explicit explicitly explorer exported exports exposed expression expressions
    extended extends extension extensions external extract extracted extraction extractor factory failure failures
    fallback feature features figures filename filtered filters finally finding fixture fixtures folders followed
    following follows foreign formats formatter forward forwards fragment framework function functional functionality
    functions general generate generated generating generator generic geometry getattr gettext getting grammar greater
    grouping handled handler handlers handles handling happened happens hasattr headers helpers heuristic hierarchy
    however hundreds hydration identifier identifiers identity ignored ignores immediate implementation implemented
    implements imported importer importing imports improperly include included includes incremental indexed indexes
    inferred information inherit inheritance inherited inherits initial initialization initialize injected injection
    insensitive inspect install installed instance instances instantiated instead integer interactive interface
    internal interpolation intersection invalid isinstance iterable iteration iterator javascript keyword language
    languages leading library license lifecycle limited lineage linking listener listeners literal literals loading
    location locations logging lowercase management manager managers mapping matched matcher matches matching material
    matters measure measured members message messages metadata methods middleware migrate migration migrations missing
    modified modifiers modules mounted multiple mutable mutations namespace namespaces natural navigate nearest
    necessary neighbours newline nonexistent normalize normalized nothing notices nullable numbers numeric objects
    omitted opening operation operations operator operators optimized optional options ordered ordering original
    otherwise outcomes outside overridden override overrides package packages parallel parameter parameters parents
    parsing partial particular partition passing password pattern patterns pending perform performance permission
    permissions permitted pipeline placeholder plugins polygon populated position positions positive possible postgres
    postings precision prepare present preserve preserved prevent primary private process processes processing
    processors production program programs progress project projects promise properly properties property protocol
    protocols prototype prototypes provide provided provides providing published purpose purposes qualified queries
    querying queryset question questions reached reactive reading readonly receiver receivers recorded redirect
    redirects reference referenced references register registered registration registry regress regression regular
    related relation relations relationships relative released relevance remember removed removing rendered renderer
    rendering replace replaced replacing reporter reports repositories repository represent representing request
    requested requests require required requires reserved resolution resolve resolved resolver resolving respect
    response results retrieve returned returning returns reverse reversed running runtime scheduler schemas scripts
    searches seconds section security selected selection selector selenium sensitive separate separator sequence
    sequences serialize serialized serializer serializers session sessions setattr setting settings several shallow
    shortcut shortcuts shortest shouldn signals signature signatures signing silently similar singleton skipped
    smallest something sources spatial special specific specified specify specifying spreads stacked standard
    statement statements storage storing stringify strings structures subclass subclasses subject success suitable
    summary support supported supports surface survive suspense symbols targets teleport template templates temporary
    terminal testing textarea thousand threads through timeout timestamp timezone together tokenizer tolerance
    traceback tracked tracking trailing transaction transform transforms transition translate translated translation
    trigger truncate truncated undefined understand unexpected unicode unittest unknown unsupported updated updating
    uploaded urlpatterns username utilities utility validate validation validator validators variable variables
    various verbose verbosity verification version virtual visible vocabulary warning warnings watcher whatever
    whether whitespace widgets without workers working wrapped wrapper wrapping writing written
    """.split()
)
