// broadsheet generate kotlin --name Cells catalog.json; tag 92f6a24dfc951a6a; do not edit

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** The types of the catalog. */
object Cells {
    /** Data by its cell type. */
    sealed class Cell {
        /** The name of the cell type. */
        abstract val type: String

        /** The data as JSON. */
        abstract fun toJson(): JsonElement

        data class Heading(val data: JsonElement) : Cells.Cell() {
            override val type get() = "Heading"
            override fun toJson(): JsonElement = data
        }

        data class Chip(val data: JsonElement) : Cells.Cell() {
            override val type get() = "Chip"
            override fun toJson(): JsonElement = data
        }

        data class Offer(val data: JsonElement) : Cells.Cell() {
            override val type get() = "Offer"
            override fun toJson(): JsonElement = data
        }

        data class Product(val data: JsonElement) : Cells.Cell() {
            override val type get() = "Product"
            override fun toJson(): JsonElement = data
        }

        data class Line(val data: JsonElement) : Cells.Cell() {
            override val type get() = "Line"
            override fun toJson(): JsonElement = data
        }

        /** A cell type that this file does not have, or data that does not fit. */
        data class Unknown(override val type: String, val data: JsonElement) : Cells.Cell() {
            override fun toJson(): JsonElement = data
        }

        companion object {
            /** Returns the data of a type; it never throws. */
            fun of(type: String, data: JsonElement): Cells.Cell = try {
                when (type) {
                    "Heading" -> Heading(data)
                    "Chip" -> Chip(data)
                    "Offer" -> Offer(data)
                    "Product" -> Product(data)
                    "Line" -> Line(data)
                    else -> Unknown(type, data)
                }
            } catch (error: kotlin.IllegalArgumentException) {
                Unknown(type, data)
            }
        }
    }

    /** Data by its unit type. */
    sealed class Unit {
        /** The name of the unit type. */
        abstract val type: String

        /** The unit as a page has it. */
        abstract fun toJson(): JsonElement

        data class Kinds(val data: JsonElement) : Cells.Unit() {
            override val type get() = "KINDS"
            override fun toJson(): JsonElement = _object("unitType", this.type, "unitData", data)
        }

        data class Offers(val data: JsonElement) : Cells.Unit() {
            override val type get() = "OFFERS"
            override fun toJson(): JsonElement = _object("unitType", this.type, "unitData", data)
        }

        data class Products(val data: JsonElement) : Cells.Unit() {
            override val type get() = "PRODUCTS"
            override fun toJson(): JsonElement = _object("unitType", this.type, "unitData", data)
        }

        data class Basket(val data: JsonElement) : Cells.Unit() {
            override val type get() = "BASKET"
            override fun toJson(): JsonElement = _object("unitType", this.type, "unitData", data)
        }

        /** A unit type that this file does not have, or data that does not fit. */
        data class Unknown(override val type: String, val data: JsonElement) : Cells.Unit() {
            override fun toJson(): JsonElement = _object("unitType", this.type, "unitData", data)
        }

        companion object {
            /** Returns the data of a type; it never throws. */
            fun of(type: String, data: JsonElement): Cells.Unit = try {
                when (type) {
                    "KINDS" -> Kinds(data)
                    "OFFERS" -> Offers(data)
                    "PRODUCTS" -> Products(data)
                    "BASKET" -> Basket(data)
                    else -> Unknown(type, data)
                }
            } catch (error: kotlin.IllegalArgumentException) {
                Unknown(type, data)
            }
        }
    }

    /** By the schema /cellTypes/Offer/actions/take/input */
    data class OfferTakeInput(
        val from: String
    ) {
        /** Returns the object as JSON. */
        fun toJson(): JsonObject {
            val _members = LinkedHashMap<String, JsonElement>()
            _members["from"] = JsonPrimitive(from)
            return JsonObject(_members)
        }

        companion object {
            /** Reads JSON, or throws an IllegalArgumentException. */
            fun of(json: JsonElement): OfferTakeInput {
                val members = _members(json)
                return OfferTakeInput(
                    _string(_required(members, "from"))
                )
            }
        }
    }

    /** The actions of the cell type Offer. */
    object OfferActions {
        /** The action take of an item, or of the view header or footer. */
        fun take(
            input: OfferTakeInput, section: String, item: String? = null, view: String? = null
        ): JsonObject =
            _action("take", input.toJson(), section, item, view)
    }

    /** The names of cell types. */
    object CellType {
        const val Heading = "Heading"
        const val Chip = "Chip"
        const val Offer = "Offer"
        const val Product = "Product"
        const val Line = "Line"
    }

    /** The names of unit types. */
    object UnitType {
        const val Kinds = "KINDS"
        const val Offers = "OFFERS"
        const val Products = "PRODUCTS"
        const val Basket = "BASKET"
    }

    /** The ids of sections. */
    object SectionID {
        const val Kinds = "kinds"
        const val Offers = "offers"
        const val Products = "products"
        const val Basket = "basket"
    }

    /** The names of the parts of the cell type Heading. */
    object HeadingParts {
        const val Title = "title"
        const val More = "more"
    }

    /** The names of the parts of the cell type Chip. */
    object ChipParts {
        const val Icon = "icon"
        const val Label = "label"
        const val Back = "back"
    }

    /** The names of the parts of the cell type Offer. */
    object OfferParts {
        const val Title = "title"
        const val Until = "until"
        const val Code = "code"
        const val Back = "back"
        const val Photo = "photo"
        const val Card = "card"
    }

    /** The names of the parts of the cell type Product. */
    object ProductParts {
        const val Photo = "photo"
        const val Badge = "badge"
        const val Back = "back"
        const val Title = "title"
        const val Note = "note"
        const val Was = "was"
        const val Price = "price"
    }

    /** The names of the parts of the cell type Line. */
    object LineParts {
        const val Photo = "photo"
        const val Title = "title"
        const val Detail = "detail"
        const val Price = "price"
    }

    private fun _action(
        name: String, input: JsonElement?, section: String, item: String?, view: String?
    ): JsonObject {
        val members = LinkedHashMap<String, JsonElement>()
        members["type"] = JsonPrimitive("action")
        members["section"] = JsonPrimitive(section)
        item?.let { members["item"] = JsonPrimitive(it) }
        view?.let { members["view"] = JsonPrimitive(it) }
        members["name"] = JsonPrimitive(name)
        input?.let { members["input"] = it }
        return JsonObject(members)
    }

    private fun _object(
        type: String, typeName: String, data: String, value: JsonElement
    ): JsonObject {
        val members = LinkedHashMap<String, JsonElement>()
        members[type] = JsonPrimitive(typeName)
        members[data] = value
        return JsonObject(members)
    }

    private fun _required(members: Map<String, JsonElement>, name: String): JsonElement =
        members[name] ?: _fail(name + " is missing")

    private fun _members(json: JsonElement): Map<String, JsonElement> =
        json as? JsonObject ?: _fail("not an object")

    private fun _string(json: JsonElement): String =
        if (json is JsonPrimitive && json.isString) json.content else _fail("not a string")

    private fun _fail(reason: String): Nothing = throw IllegalArgumentException(reason)
}
